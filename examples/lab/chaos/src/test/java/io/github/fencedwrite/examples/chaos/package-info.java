/** The chaos run as a test, and the search for leaks. */
package io.github.fencedwrite.examples.chaos;
