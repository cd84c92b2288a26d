package io.github.fencedwrite.examples.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class DockerApiTest {

    private static final Duration LONG = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(200);

    private ServerSocket engine;

    @BeforeEach
    void listen() throws IOException {
        engine = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
    }

    @Test
    void anEngineThatAnswersAnswers() {
        serve("HTTP/1.0 200 OK\r\n\r\nOK");
        assertThat(api().answers(LONG)).isTrue();
    }

    @Test
    void anEngineThatRefusesOrSpeaksAnotherProtocolDoesNotAnswer() throws IOException {
        serve("HTTP/1.0 500 Internal Server Error\r\n\r\n");
        assertThat(api().answers(LONG)).isFalse();
        serve("-ERR unknown command 'GET'\r\n");
        assertThat(api().answers(LONG)).isFalse();
        engine.close();
        assertThat(api().answers(LONG)).isFalse();
        assertThat(new DockerApi(URI.create("unix:///no/such/socket")).answers(LONG))
                .isFalse();
    }

    @Test
    void aMuteEngineDoesNotAnswerWithinTheTimeout() {
        assertThat(api().answers(SHORT)).isFalse();
        assertThatThrownBy(() -> api().hasImage("redis:7.0-bookworm", SHORT)).isInstanceOf(IOException.class);
    }

    @Test
    void anImageIsThereOrNot() throws IOException {
        serve("HTTP/1.0 200 OK\r\n\r\n{}");
        assertThat(api().hasImage("redis:7.0-bookworm", LONG)).isTrue();
        serve("HTTP/1.0 404 Not Found\r\n\r\n{\"message\":\"No such image: redis:7.0-bookworm\"}");
        assertThat(api().hasImage("redis:7.0-bookworm", LONG)).isFalse();
    }

    @Test
    void tellsWhyAnImageCannotBePulled() throws IOException {
        serve(
                "HTTP/1.0 500 Internal Server Error\r\n\r\n{\"message\":\"Get \\\"https://registry/\\\": no such host\"}");
        assertThat(api().pull("redis:7.0-bookworm", LONG)).isEqualTo("Get \"https://registry/\": no such host");
        serve(
                "HTTP/1.0 200 OK\r\n\r\n{\"status\":\"Pulling\"}\r\n{\"errorDetail\":{},\"error\":\"toomanyrequests\"}\r\n");
        assertThat(api().pull("redis:7.0-bookworm", LONG)).isEqualTo("toomanyrequests");
    }

    private DockerApi api() {
        return new DockerApi(URI.create("tcp://127.0.0.1:" + engine.getLocalPort()));
    }

    /** Answers the next connection. */
    private void serve(String answer) {
        Thread server = new Thread(() -> {
            try (Socket socket = engine.accept()) {
                InputStream request = socket.getInputStream();
                assertThat(request.read()).isNotEqualTo(-1);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                socket.shutdownOutput();
                request.transferTo(OutputStream.nullOutputStream());
            } catch (IOException testIsOver) {
                // nothing to answer any more
            }
        });
        server.setDaemon(true);
        server.start();
    }
}
