package io.github.fencedwrite;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads where the JDK has them; the tests are compiled for one that has not. */
final class Threads {

    private Threads() {}

    static boolean virtualOnesExist() {
        return Runtime.version().feature() >= 21;
    }

    /** Starts a virtual thread if wanted and possible, else a daemon. */
    static Thread maybeVirtual(boolean wanted, Runnable task) {
        if (wanted && virtualOnesExist()) {
            return (Thread) call("startVirtualThread", new Class<?>[] {Runnable.class}, Thread.class, task);
        }
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** One virtual thread per task, or a pool of {@code otherwise} threads. */
    static ExecutorService manyThreads(int otherwise) {
        return virtualOnesExist() ? virtualOnes() : Executors.newFixedThreadPool(otherwise);
    }

    /** One virtual thread per task. */
    static ExecutorService virtualOnes() {
        return (ExecutorService) call("newVirtualThreadPerTaskExecutor", new Class<?>[0], Executors.class);
    }

    private static Object call(String method, Class<?>[] types, Class<?> owner, Object... arguments) {
        try {
            return owner.getMethod(method, types).invoke(null, arguments);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
