package io.github.fencedwrite.examples.inventory.worker;

import io.github.fencedwrite.examples.inventory.stock.Stock;
import io.github.fencedwrite.examples.inventory.stock.StockDao;
import io.github.fencedwrite.examples.inventory.stock.StockKey;
import org.jdbi.v3.core.Jdbi;

/** Reads a row without claiming it. */
final class Reading {

    private final StockDao stocks;

    Reading(Jdbi jdbi) {
        this.stocks = jdbi.onDemand(StockDao.class);
    }

    Stock read(StockKey key) {
        return stocks.find(key).orElseThrow(() -> new IllegalStateException("There is no stock " + key));
    }
}
