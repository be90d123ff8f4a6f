// Deno has everything that the library uses.
