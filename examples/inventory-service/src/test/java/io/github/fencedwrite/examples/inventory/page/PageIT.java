package io.github.fencedwrite.examples.inventory.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.fencedwrite.examples.inventory.Configuration;
import io.github.fencedwrite.examples.inventory.local.LocalNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** Each story is played by clicks, and what the page shows is compared with what the database has. */
class PageIT {

    private static final Duration LONGEST_STORY = Duration.ofMinutes(2);
    private static final int STOCK = 10;

    private static Page page;
    private static Jdbi jdbi;

    private Browser browser;

    @BeforeAll
    static void startServiceAndWorkers() {
        Browser.require();
        page = Page.start(Configuration.from(Map.of("PORT", "0")));
        jdbi = Jdbi.create(page.servers().database().dataSource());
    }

    @AfterAll
    static void stop() {
        if (page != null) {
            page.close();
        }
    }

    @BeforeEach
    void open() {
        browser = open(1280, 1150, false);
    }

    @AfterEach
    void close() {
        List<String> errors = browser.errors();
        browser.close();
        assertThat(errors).isEmpty();
    }

    private static Browser open(int width, int height, boolean dark) {
        Browser opened = Browser.open("http://127.0.0.1:" + page.port() + "/", width, height, dark);
        await().until(() -> opened.has("body[data-ready='true']"));
        return opened;
    }

    @ParameterizedTest
    @CsvSource({"paused-holder", "clock-jump", "node-restart"})
    void aStoryLosesASaleWithoutTheGuardAndRefusesTheStaleWriteWithIt(String story) {
        assumeTrue(
                !story.equals("clock-jump") || page.servers().nodes().get(0).hasClock(),
                "The story of the clock was not played: this machine has no libfaketime (Debian: libfaketime)");
        browser.click("#guard");
        String unguarded = play(story).get(0);
        browser.screenshot(story + "-unguarded");
        assertShowsTheDatabase(unguarded, 1, 0);

        browser.click("#guard");
        String guarded = play(story).get(0);
        browser.screenshot(story + "-guarded");
        assertShowsTheDatabase(guarded, 0, 1);
        assertThat(browser.text("#now")).contains("is refused");
        assertThat(browser.has(".database .write-no")).isTrue();
    }

    @Test
    void readModifyWriteLosesASaleWithoutTheClaimAndNoneWithIt() {
        List<String> articles = play("read-modify-write");
        browser.screenshot("read-modify-write");

        assertShowsTheDatabase(articles.get(1), 1, 0);
        assertShowsTheDatabase(articles.get(0), 0, 1);
    }

    @Test
    void aReservationByHandIsSeenAsALeaseAWriteAndANumber() {
        List<String> before = browser.articles();
        browser.button("Worker A: start a reservation").click();
        await().until(() -> browser.has(".lane[data-worker='A'] .rest-a"));
        browser.screenshot("by-hand");
        await().atMost(LONGEST_STORY)
                .until(() -> browser.button("Worker A: start a reservation").isEnabled()
                        && !browser.articles().equals(before)
                        && browser.number(browser.articles().get(0), "sold") == 1);
        assertShowsTheDatabase(browser.articles().get(0), 0, 0);
    }

    @Test
    void aWorkerIsReallyStopped() {
        browser.button("Pause worker B").click();
        await().until(() -> browser.has("[aria-label='Resume worker B']"));
        long pid = Long.parseLong(browser.text(".lane[data-worker='B'] small").replaceAll("\\D", ""));
        await().until(() -> stateOf(pid).equals("T"));

        browser.button("Resume worker B").click();

        await().until(() -> browser.has("[aria-label='Pause worker B']"));
        await().until(() -> !stateOf(pid).equals("T"));
    }

    @Test
    void nodesAreStoppedFrozenWipedAndStartedAgain() {
        LocalNode node = page.servers().nodes().get(4);
        browser.button("Stop redis-5").click();
        await().until(() -> browser.text(".lane[data-node='redis-5'] small").equals("stopped"));
        assertThat(node.state()).isEqualTo(LocalNode.State.STOPPED);
        browser.button("Start redis-5").click();
        await().until(() -> browser.has("[aria-label='Stop redis-5']"));
        browser.button("Freeze redis-5").click();
        await().until(() -> browser.text(".lane[data-node='redis-5'] small").equals("frozen"));
        browser.screenshot("frozen-node");
        browser.button("Restart redis-5 without its data").click();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> browser.text(".lane[data-node='redis-5'] small").equals("in quarantine"));
        await().atMost(Duration.ofMinutes(1))
                .until(() -> browser.text(".lane[data-node='redis-5'] small").equals("votes"));
        assertThat(node.state()).isEqualTo(LocalNode.State.RUNNING);
    }

    @Test
    void everythingCanBeDoneByKeyboard() {
        for (int i = 0; i < 3; i++) {
            browser.focused().sendKeys(Keys.TAB);
        }
        assertThat(browser.focused().getDomAttribute("data-story")).isEqualTo("paused-holder");
        List<String> before = browser.articles();
        browser.focused().sendKeys(Keys.ENTER);
        awaitEnd(before);
        assertShowsTheDatabase(browser.articles().get(0), 0, 1);
    }

    @ParameterizedTest
    @CsvSource({"390,844,false", "390,844,true", "768,1024,false", "1280,1150,true"})
    void isReadableInEachWidthAndScheme(int width, int height, boolean dark) {
        try (Browser other = open(width, height, dark)) {
            assertThat(other.run("return document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            assertThat(other.find("[data-story='paused-holder']").isDisplayed()).isTrue();
            other.screenshot("top-" + width + (dark ? "-dark" : "-light"));
            other.run("document.querySelector('.chart').scrollIntoView()");
            other.screenshot("timeline-" + width + (dark ? "-dark" : "-light"));
            assertThat(other.errors()).isEmpty();
        }
    }

    /** Plays a story and tells the table's articles, newest first. */
    private List<String> play(String story) {
        List<String> before = browser.articles();
        browser.click("[data-story='" + story + "']");
        awaitEnd(before);
        return browser.articles();
    }

    private void awaitEnd(List<String> before) {
        await().atMost(LONGEST_STORY).until(() -> !browser.articles().equals(before) && !browser.has(".story.running"));
    }

    private void assertShowsTheDatabase(String sku, int lostUpdates, int staleWritesRejected) {
        int sold =
                number("SELECT coalesce(sum(quantity), 0) FROM sale_attempt WHERE sku = ? AND outcome = 'SOLD'", sku);
        int inStock = number("SELECT available FROM stock WHERE sku = ?", sku);
        assertThat(browser.number(sku, "sold")).isEqualTo(sold);
        assertThat(browser.number(sku, "inStock")).isEqualTo(inStock);
        assertThat(browser.number(sku, "shouldBe")).isEqualTo(STOCK - sold);
        assertThat(browser.number(sku, "lost")).isEqualTo(lostUpdates);
        assertThat(browser.number(sku, "refused"))
                .isEqualTo(staleWritesRejected)
                .isEqualTo(number("SELECT count(*) FROM sale_attempt WHERE sku = ? AND outcome = 'STALE'", sku));
        assertThat(inStock == STOCK - sold).isEqualTo(lostUpdates == 0);
    }

    private static int number(String sql, String sku) {
        return jdbi.withHandle(
                handle -> handle.select(sql, sku).mapTo(Integer.class).one());
    }

    /** The state of a process as the kernel has it, T for stopped. */
    private static String stateOf(long pid) throws Exception {
        Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", String.valueOf(pid)).start();
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("(.).*", "$1");
    }
}
