/**
 * Polyfills for Node 20, bundled into the tarball.
 *
 * @module
 */
import "core-js/actual/array/from-async.js";
import "core-js/actual/iterator/index.js";
import "core-js/actual/map/group-by.js";
import "core-js/actual/promise/with-resolvers.js";
import "core-js/actual/set/index.js";
import "core-js/actual/typed-array/from-hex.js";
import "core-js/actual/typed-array/to-hex.js";
import "core-js/actual/url/parse.js";
