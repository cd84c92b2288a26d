/**
 * Metrics of guarded writes for applications that use Micrometer. The only package that needs it; nothing else in this module
 * may refer to this one.
 */
@NullMarked
package io.github.fencedwrite.jdbi.micrometer;

import org.jspecify.annotations.NullMarked;
