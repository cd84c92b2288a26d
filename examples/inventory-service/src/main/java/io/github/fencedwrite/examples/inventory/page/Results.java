package io.github.fencedwrite.examples.inventory.page;

import io.github.fencedwrite.examples.inventory.stock.StockKey;
import io.github.fencedwrite.examples.inventory.story.Story;
import io.github.fencedwrite.examples.inventory.worker.Guard;
import io.github.fencedwrite.examples.inventory.worker.Ledger;
import io.github.fencedwrite.examples.inventory.worker.Ledger.Numbers;
import java.util.ArrayList;
import java.util.List;

/** What came of each story and of each article that was sold by hand, as the database tells it. Thread safe. */
final class Results {

    private static final int KEPT = 8;

    private final Ledger ledger;
    private final PageEvents events;
    private final List<Result> results = new ArrayList<>();

    /**
     * One line of the page's table.
     *
     * @param shouldBe what would be in stock if each sale that was told as made had been taken out
     */
    record Result(
            String story,
            Guard guard,
            String sku,
            int sold,
            int shouldBe,
            int inStock,
            int lostUpdates,
            int staleWritesRejected) {

        static Result of(String story, Guard guard, String sku, Numbers numbers) {
            return new Result(
                    story,
                    guard,
                    sku,
                    numbers.sold(),
                    Story.STOCK - numbers.sold(),
                    numbers.inStock(),
                    numbers.lostUpdates(),
                    numbers.staleWritesRejected());
        }
    }

    Results(Ledger ledger, PageEvents events) {
        this.ledger = ledger;
        this.events = events;
    }

    /** Adds a line, or looks again at the one of this article. */
    synchronized void add(String story, Guard guard, StockKey stock) {
        results.removeIf(each -> each.sku().equals(stock.sku()));
        results.add(Result.of(story, guard, stock.sku(), ledger.numbers(stock)));
        if (results.size() > KEPT) {
            results.remove(0);
        }
        events.send("results", List.copyOf(results));
    }

    /** Looks again at all lines. */
    synchronized void update() {
        results.replaceAll(each ->
                Result.of(each.story(), each.guard(), each.sku(), ledger.numbers(new StockKey("berlin", each.sku()))));
        events.send("results", List.copyOf(results));
    }

    synchronized List<Result> all() {
        return List.copyOf(results);
    }

    /** Whether the article is one that is sold by hand. */
    synchronized boolean isByHand(StockKey stock) {
        return results.stream()
                .anyMatch(each -> each.sku().equals(stock.sku()) && each.story().equals("by-hand"));
    }
}
