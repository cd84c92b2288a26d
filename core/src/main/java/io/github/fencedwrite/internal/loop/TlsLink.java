package io.github.fencedwrite.internal.loop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** An encrypted link over another one. The server's certificate has to be for its name. */
final class TlsLink implements Link {

    private final Link plain;
    private final SSLEngine engine;
    /** Encrypted, from the network; ready to be filled. */
    private ByteBuffer received;
    /** Encrypted, to the network; ready to be written. */
    private ByteBuffer outgoing;
    /** Decrypted, for the reader; ready to be read. */
    private ByteBuffer decrypted;

    private boolean connected;
    private boolean established;
    private boolean ended;
    private boolean writeWanted;

    private TlsLink(Link plain, SSLEngine engine) {
        this.plain = plain;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        this.received = ByteBuffer.allocate(packet);
        this.outgoing = ByteBuffer.allocate(2 * packet).limit(0);
        this.decrypted = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
    }

    /** Trusts what {@code trust} does, or else the default context of now, as an application may have replaced it. */
    static Link over(Link plain, @Nullable SSLContext trust, String host, int port) throws IOException {
        try {
            SSLContext context = trust == null ? SSLContext.getDefault() : trust;
            SSLEngine engine = context.createSSLEngine(host, port);
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            return new TlsLink(plain, engine);
        } catch (NoSuchAlgorithmException | RuntimeException e) {
            plain.abort();
            throw new SSLException(e);
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (!connected) {
            if (!plain.finishConnect()) {
                return false;
            }
            connected = true;
            engine.beginHandshake();
        }
        if (!established) {
            shakeHands();
        }
        return established;
    }

    private void shakeHands() throws IOException {
        while (true) {
            send();
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (status == HandshakeStatus.NEED_WRAP) {
                if (outgoing.hasRemaining()) {
                    return;
                }
                wrap(ByteBuffer.allocate(0));
            } else if (status == HandshakeStatus.NEED_UNWRAP || status == HandshakeStatus.NEED_UNWRAP_AGAIN) {
                if (!unwrap()) {
                    if (ended) {
                        throw new SSLException("The server closed the connection during the TLS handshake");
                    }
                    return;
                }
            } else {
                established = !outgoing.hasRemaining();
                return;
            }
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        // what the socket did not take before may fit now
        send();
        int before = into.position();
        while (into.hasRemaining()) {
            if (decrypted.hasRemaining()) {
                int length = Math.min(decrypted.remaining(), into.remaining());
                into.put(decrypted.array(), decrypted.position(), length);
                decrypted.position(decrypted.position() + length);
            } else if (!unwrap()) {
                break;
            }
            // a server may ask for new keys at any time
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !outgoing.hasRemaining()) {
                wrap(ByteBuffer.allocate(0));
                send();
            }
        }
        int read = into.position() - before;
        return read == 0 && ended ? -1 : read;
    }

    /** Decrypts one packet; false if there is none yet. */
    private boolean unwrap() throws IOException {
        while (true) {
            received.flip();
            SSLEngineResult result;
            try {
                decrypted.clear();
                result = engine.unwrap(received, decrypted);
            } finally {
                decrypted.flip();
                received.compact();
            }
            switch (result.getStatus()) {
                case OK -> {
                    return true;
                }
                case CLOSED -> {
                    ended = true;
                    return decrypted.hasRemaining();
                }
                case BUFFER_OVERFLOW ->
                    decrypted = ByteBuffer.allocate(Math.max(
                                    2 * decrypted.capacity(),
                                    engine.getSession().getApplicationBufferSize()))
                            .limit(0);
                case BUFFER_UNDERFLOW -> {
                    if (!received.hasRemaining()) {
                        ByteBuffer larger = ByteBuffer.allocate(2 * received.capacity());
                        received.flip();
                        received = larger.put(received);
                    }
                    int read = plain.read(received);
                    if (read < 0) {
                        ended = true;
                    }
                    if (read <= 0) {
                        return false;
                    }
                }
            }
        }
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        send();
        while (from.hasRemaining() && !outgoing.hasRemaining()) {
            wrap(from);
            send();
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        outgoing.clear();
        try {
            while (engine.wrap(from, outgoing).getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                outgoing.flip();
                outgoing = ByteBuffer.allocate(2 * outgoing.capacity()).put(outgoing);
            }
        } finally {
            outgoing.flip();
        }
        if (!outgoing.hasRemaining() && engine.isOutboundDone()) {
            throw new SSLException("The TLS connection is closed");
        }
    }

    private void send() throws IOException {
        if (outgoing.hasRemaining()) {
            plain.write(outgoing);
        }
        plain.wantWrite(writeWanted || outgoing.hasRemaining());
    }

    @Override
    public void wantWrite(boolean wanted) {
        writeWanted = wanted;
        plain.wantWrite(wanted || outgoing.hasRemaining());
    }

    @Override
    public void close() {
        engine.closeOutbound();
        try {
            if (!outgoing.hasRemaining()) {
                wrap(ByteBuffer.allocate(0));
            }
            plain.write(outgoing);
        } catch (IOException e) {
            // a farewell that does not arrive harms nobody
        }
        plain.close();
    }

    @Override
    public void abort() {
        plain.abort();
    }
}
