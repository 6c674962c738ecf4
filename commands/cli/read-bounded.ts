export { readBounded } from '../../src/disk/plain-file.ts';
