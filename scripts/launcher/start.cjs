// Checks the version of the runtime before any code is loaded that an older one could not parse.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  require('./main.cjs');
} else {
  process.stderr.write(`svc: needs Node 24.15 or newer; this is ${process.version} (${process.execPath})\n`);
  process.exitCode = 1;
}
