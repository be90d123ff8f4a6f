// Browsers of 2025 have everything that the library uses but, some of them, `Temporal`.
import "temporal-polyfill/global";
