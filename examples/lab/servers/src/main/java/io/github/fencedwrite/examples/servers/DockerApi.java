package io.github.fencedwrite.examples.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The three requests to a Docker engine that must be quick and silent, which Testcontainers is not where no engine or no
 * image is there. HTTP/1.0, so that the answer ends with the connection.
 */
final class DockerApi {

    private static final Pattern REASON = Pattern.compile("\"(?:message|error)\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final SocketAddress address;

    /** Takes {@code unix:///path} or {@code tcp://host:port}. */
    DockerApi(URI host) {
        address = "unix".equals(host.getScheme())
                ? UnixDomainSocketAddress.of(host.getPath())
                : new InetSocketAddress(host.getHost(), host.getPort());
    }

    boolean answers(Duration timeout) {
        try {
            return status(request("GET", "/_ping", timeout)) == 200;
        } catch (IOException e) {
            return false;
        }
    }

    boolean hasImage(String image, Duration timeout) throws IOException {
        return status(request("GET", "/images/" + image + "/json", timeout)) == 200;
    }

    /** Pulls an image and returns the reason why the engine could not, of which it may give none. */
    String pull(String image, Duration timeout) throws IOException {
        Matcher reason = REASON.matcher(request("POST", "/images/create?fromImage=" + image, timeout));
        return reason.find() ? reason.group(1).replace("\\\"", "\"") : "no reason given";
    }

    private static int status(String answer) throws IOException {
        String[] words = answer.split(" ", 3);
        if (words.length < 2 || !words[1].matches("\\d{3}")) {
            throw new IOException("no HTTP answer");
        }
        return Integer.parseInt(words[1]);
    }

    private String request(String method, String path, Duration timeout) throws IOException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        try (SocketChannel channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open()) {
            Thread exchange = new Thread(() -> exchange(channel, method, path, answer), "docker-request");
            exchange.setDaemon(true);
            exchange.start();
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void exchange(SocketChannel channel, String method, String path, CompletableFuture<String> answer) {
        try {
            channel.connect(address);
            String request = method + " " + path + " HTTP/1.0\r\nHost: docker\r\nContent-Length: 0\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Channels.newInputStream(channel).transferTo(bytes);
            answer.complete(bytes.toString(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }
}
