/** Checks of the protocol on modelled nodes. No server is started here; that the model is right is shown elsewhere. */
package io.github.fencedwrite.internal.protocol;
