/**
 * Whose transaction a handle is in: begun by Fencing, by the caller through Jdbi, by Spring or a container, or by nobody, since
 * the connection merely came with autocommit off. Decides who commits and sees to it that a commit which rolled back is not
 * taken for one; knows neither tokens nor fence rows.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.ownership;

import org.jspecify.annotations.NullMarked;
