/** The service over HTTP. */
package io.github.fencedwrite.examples.inventory.http;
