export { readBounded } from '../../src/disk/named-file.ts';
