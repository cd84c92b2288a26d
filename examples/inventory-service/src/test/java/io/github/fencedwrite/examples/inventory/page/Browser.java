package io.github.fencedwrite.examples.inventory.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Headless Chromium of this machine; nothing is downloaded. */
final class Browser implements AutoCloseable {

    private static final List<String> CHROMIUM =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
    private static final List<String> DRIVER = List.of(
            "/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final int PHONE = 500;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Ends the test class with a word about it where there is no Chromium, or fails it with {@code -Dtools=required}.
     */
    static void require() {
        boolean present = find(CHROMIUM).isPresent() && find(DRIVER).isPresent();
        String missing = "this machine has no Chromium with its driver (Debian: chromium and chromium-driver)";
        if ("required".equals(System.getProperty("tools"))) {
            assertThat(present).as("-Dtools=required, but " + missing).isTrue();
        }
        assumeTrue(present, "The page was not tested: " + missing);
    }

    private static Optional<String> find(List<String> places) {
        return places.stream()
                .filter(place -> Files.isExecutable(Path.of(place)))
                .findFirst();
    }

    /** Opens a window; one as narrow as a phone is a phone. */
    static Browser open(String address, int width, int height, boolean dark) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(find(CHROMIUM).orElseThrow());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--window-size=" + width + "," + height);
        if (width < PHONE) {
            options.setExperimentalOption(
                    "mobileEmulation",
                    Map.of("deviceMetrics", Map.of("width", width, "height", height, "pixelRatio", 2.0)));
        }
        ChromeDriver driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(new File(find(DRIVER).orElseThrow()))
                        .build(),
                options);
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        driver.get(address);
        return new Browser(driver);
    }

    void click(String selector) {
        find(selector).click();
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** A button by the name that screen readers say. */
    WebElement button(String label) {
        return find("[aria-label='" + label + "']");
    }

    /** What an element says, in one call: the page may replace it at any moment. */
    String text(String selector) {
        Object text = ((JavascriptExecutor) driver)
                .executeScript("return document.querySelector(arguments[0])?.textContent ?? ''", selector);
        return String.valueOf(text);
    }

    /** The element that has the keyboard. */
    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    Object run(String script) {
        return ((JavascriptExecutor) driver).executeScript(script);
    }

    /** Cells of the table of results, by article and column. */
    int number(String sku, String column) {
        return Integer.parseInt(text("#results tr[data-sku='" + sku + "'] td[data-column='" + column + "']"));
    }

    /** The articles of the table, newest first. */
    List<String> articles() {
        Object articles =
                run("return [...document.querySelectorAll('#results tr[data-sku]')].map(row => row.dataset.sku)");
        return ((List<?>) articles).stream().map(String::valueOf).toList();
    }

    /** What the browser complains of. */
    List<String> errors() {
        return driver.manage().logs().get("browser").getAll().stream()
                .map(Object::toString)
                .toList();
    }

    /** Keeps a picture below {@code target}. */
    void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
