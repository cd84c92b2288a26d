package io.github.fencedwrite.examples.boot;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The service over HTTP. */
@RestController
@RequestMapping("/products/{sku}")
class ProductController {

    record NewProduct(@Nullable BigDecimal price, int stock) {}

    record Price(@Nullable BigDecimal price) {}

    record Quantity(int quantity) {}

    record Left(int left) {}

    record Returned(int returned) {}

    private final ProductService service;
    private final ProductDao dao;

    ProductController(ProductService service, ProductDao dao) {
        this.service = service;
        this.dao = dao;
    }

    @GetMapping
    Product find(@PathVariable String sku) {
        return dao.find(sku).orElseThrow(() -> new NoSuchProductException(sku));
    }

    /** No lease is needed: nobody can have written a row that does not exist, and the key admits one. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    void create(@PathVariable String sku, @RequestBody NewProduct product) {
        require(product.stock() >= 0, "The stock is 0 or more.");
        if (!dao.insert(sku, positive(product.price()), product.stock())) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "There is a product " + sku + " already.");
        }
    }

    @PutMapping("/price")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePrice(@PathVariable String sku, @RequestBody Price price) {
        service.changePrice(sku, positive(price.price()));
    }

    @PostMapping("/reservations")
    @ResponseStatus(HttpStatus.CREATED)
    Left reserve(@PathVariable String sku, @RequestBody Quantity reservation) {
        require(reservation.quantity() > 0, "The quantity is 1 or more.");
        return new Left(service.reserve(sku, reservation.quantity()));
    }

    @DeleteMapping("/reservations")
    Returned returnReservations(@PathVariable String sku) {
        return new Returned(service.returnReservations(sku));
    }

    private static BigDecimal positive(@Nullable BigDecimal price) {
        if (price == null || price.signum() <= 0) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The price is above 0.");
        }
        return price;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, otherwise);
        }
    }
}
