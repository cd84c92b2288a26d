package io.github.fencedwrite.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.fencedwrite.LockNotAcquiredException;
import io.github.fencedwrite.LockNotAcquiredException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitQueueTest {

    private final List<String> events = new ArrayList<>();
    private final WaitQueue queue = new WaitQueue(new WaitQueue.Watcher() {
        @Override
        public void watch(String resource) {
            events.add("watch " + resource);
        }

        @Override
        public void unwatch(String resource) {
            events.add("unwatch " + resource);
        }
    });

    private WaitQueue.Turn enter(String resource, String name) {
        return queue.enter(resource, () -> events.add("wake " + name));
    }

    @Test
    void onlyTheFirstOfAResourceMayAttempt() {
        assertThat(enter("r", "1").isFirst()).isTrue();
        assertThat(enter("r", "2").isFirst()).isFalse();
        assertThat(enter("s", "3").isFirst()).isTrue();
    }

    @Test
    void theTurnIsHandedOnInOrderAndTheResourceWatchedFromTheFirstRefusalOn() {
        WaitQueue.Turn one = enter("r", "1");
        WaitQueue.Turn two = enter("r", "2");
        WaitQueue.Turn three = enter("r", "3");
        queue.refused(one, null);
        queue.refused(one, null);
        queue.leave(two);
        queue.leave(one);
        assertThat(three.isFirst()).isTrue();
        queue.leave(three);
        queue.leave(three);
        assertThat(events).containsExactly("watch r", "wake 3", "unwatch r");
        assertThat(enter("r", "4").isFirst()).isTrue();
    }

    @Test
    void whatIsGotAtTheFirstAttemptIsNeverWatched() {
        queue.leave(enter("r", "1"));
        assertThat(events).isEmpty();
    }

    @Test
    void aReleaseWakesTheFirstAndIsRememberedOnce() {
        WaitQueue.Turn one = enter("r", "1");
        enter("r", "2");
        queue.hint("r");
        queue.hint("other");
        assertThat(events).containsExactly("wake 1");
        assertThat(one.takeHint()).isTrue();
        assertThat(one.takeHint()).isFalse();
    }

    @Test
    void theEndOfTheClientWakesTheFirstOfEveryResource() {
        enter("r", "1");
        enter("r", "2");
        enter("s", "3");
        events.clear();
        queue.hintAll();
        assertThat(events).containsExactlyInAnyOrder("wake 1", "wake 3");
    }

    @Test
    void allWhoWaitKnowWhyTheLatestAttemptFailed() {
        WaitQueue.Turn one = enter("r", "1");
        WaitQueue.Turn two = enter("r", "2");
        WaitQueue.Turn elsewhere = enter("s", "3");
        assertThat(two.lastRefusal()).isNull();
        LockNotAcquiredException why = new LockNotAcquiredException("", "r", Reason.CONTENDED, Map.of(), null);
        queue.refused(one, why);
        queue.refused(one, null);
        assertThat(two.lastRefusal()).isSameAs(why);
        assertThat(elsewhere.lastRefusal()).isNull();
    }
}
