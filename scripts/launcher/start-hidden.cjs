// Removes the sign before each argument with which the launcher hid them from Node, and starts the program.
process.argv = process.argv.map((word, at) => (at < 2 ? word : word.slice(1)));
require('./start.cjs');
