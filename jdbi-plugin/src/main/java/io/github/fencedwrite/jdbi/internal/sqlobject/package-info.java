/**
 * What the annotations on methods of SQL Objects mean: where they may stand, which parameter is the token, and methods that
 * return outcomes. The only package that may import {@code org.jdbi.v3.sqlobject}, which is optional; it describes statements
 * and leaves their execution to {@code statement}.
 */
@NullMarked
package io.github.fencedwrite.jdbi.internal.sqlobject;

import org.jspecify.annotations.NullMarked;
