// Says in one line that the runtime is too old, before any code that it could not parse.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  await import('./main.js');
} else {
  process.stderr.write(`svc: needs Node 24.15 or newer; this is ${process.version} (${process.execPath})\n`);
  process.exitCode = 1;
}
