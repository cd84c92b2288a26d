package io.github.fencedwrite.examples.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.ResourceReaper;

/**
 * One container with one published port. The port on the host is chosen here and stays the same over restarts; one chosen
 * by the engine would change. Not thread safe.
 */
final class ServerContainer {

    private static final int LOG_LINES = 30;
    private static final int PORTS_TO_TRY = 10;

    private final DockerClient client = DockerEngine.client();
    private final String host = DockerClientFactory.instance().dockerHostIpAddress();
    private final String image;
    private final int innerPort;
    private final UnaryOperator<CreateContainerCmd> details;
    private int port;
    private @Nullable String id;

    ServerContainer(String image, int innerPort, UnaryOperator<CreateContainerCmd> details) {
        this.image = image;
        this.innerPort = innerPort;
        this.details = details;
        this.port = Ports.take();
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** Creates and starts the container for the first time; takes another port if somebody was faster. */
    void start() {
        for (int i = 1; ; i++) {
            create();
            try {
                client.startContainerCmd(id()).exec();
                return;
            } catch (DockerException e) {
                remove();
                if (i == PORTS_TO_TRY || !isPortTaken(e)) {
                    throw failed("started", e);
                }
                Ports.giveBack(port);
                port = Ports.take();
            }
        }
    }

    /** Starts the container again, as it is; a passing user of its port may be in the way for a moment. */
    void startAgain() {
        long deadline = System.nanoTime() + Readiness.LIMIT.toNanos();
        Readiness.await(
                () -> {
                    try {
                        client.startContainerCmd(id()).exec();
                        return true;
                    } catch (NotModifiedException runs) {
                        return true;
                    } catch (DockerException e) {
                        if (isPortTaken(e) && System.nanoTime() - deadline < 0) {
                            return false;
                        }
                        throw failed("started again", e);
                    }
                },
                Readiness.LIMIT);
    }

    /** Replaces the container by a new one on the same port, not started. */
    void recreate() {
        remove();
        create();
    }

    void pause() {
        client.pauseContainerCmd(id()).exec();
    }

    void resume() {
        client.unpauseContainerCmd(id()).exec();
    }

    void kill() {
        if (isRunning()) {
            client.killContainerCmd(id()).exec();
            Readiness.await(() -> !isRunning(), Readiness.LIMIT);
        }
    }

    boolean isRunning() {
        return id != null
                && Boolean.TRUE.equals(
                        client.inspectContainerCmd(id).exec().getState().getRunning());
    }

    void close() {
        remove();
        Ports.giveBack(port);
    }

    /** Returns a directory of the container as a tar archive. */
    byte[] read(String directory) {
        try (InputStream archive =
                client.copyArchiveFromContainerCmd(id(), directory).exec()) {
            return archive.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unpacks what {@link #read} has given at the root of the container. */
    void write(byte[] archive) {
        client.copyArchiveToContainerCmd(id())
                .withRemotePath("/")
                .withTarInputStream(new ByteArrayInputStream(archive))
                .exec();
    }

    String lastLogLines() {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        try {
            client.logContainerCmd(id())
                    .withStdOut(true)
                    .withStdErr(true)
                    .withTail(LOG_LINES)
                    .exec(new ResultCallback.Adapter<Frame>() {
                        @Override
                        public void onNext(Frame frame) {
                            lines.add(new String(frame.getPayload(), StandardCharsets.UTF_8));
                        }
                    })
                    .awaitCompletion(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DockerException e) {
            lines.add("(no log: " + e.getMessage() + ")");
        }
        return String.join("", lines);
    }

    // Testcontainers names no successor of its labels
    @SuppressWarnings("deprecation")
    private void create() {
        Map<String, String> labels = new HashMap<>(DockerClientFactory.DEFAULT_LABELS);
        if (!DockerEngine.isRyukDisabled()) {
            // without Ryuk these labels would only have Testcontainers' shutdown hook race with ours
            labels.putAll(ResourceReaper.instance().getLabels());
        }
        ExposedPort exposed = ExposedPort.tcp(innerPort);
        try (CreateContainerCmd command = client.createContainerCmd(image)) {
            id = details.apply(command)
                    .withLabels(labels)
                    .withExposedPorts(exposed)
                    .withHostConfig(HostConfig.newHostConfig()
                            .withPortBindings(
                                    new PortBinding(new Binding(publishedOn(), Integer.toString(port)), exposed)))
                    .exec()
                    .getId();
        }
        Workspace.instance().register(this, this::remove);
    }

    private void remove() {
        if (id != null) {
            try {
                client.removeContainerCmd(id)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec();
            } catch (NotFoundException gone) {
                // what was wanted
            }
            id = null;
            Workspace.instance().unregister(this);
        }
    }

    /** Loopback only, unless the engine is on another machine. */
    private String publishedOn() {
        return host.equals("localhost") || host.startsWith("127.") ? "127.0.0.1" : "0.0.0.0";
    }

    private String id() {
        if (id == null) {
            throw new ServersException("The container of " + image + " on port " + port + " is closed");
        }
        return id;
    }

    private ServersException failed(String what, DockerException e) {
        return new ServersException("The container of " + image + " cannot be " + what + ": " + e.getMessage(), e);
    }

    private static boolean isPortTaken(DockerException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("port is already allocated") || message.contains("address already in use");
    }
}
