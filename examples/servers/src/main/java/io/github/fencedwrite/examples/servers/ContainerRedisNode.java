package io.github.fencedwrite.examples.servers;

/** A Redis server in a container. */
final class ContainerRedisNode implements RedisNode {

    @Override
    public String uri() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String host() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int port() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pause() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resume() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void saveSnapshot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void restart(Data data) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isRunning() {
        throw new UnsupportedOperationException();
    }
}
