import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWholeDeb } from '../../../src/fileset/package-check/whole-deb.ts';
import { isWholeRpm } from '../../../src/fileset/package-check/whole-rpm.ts';

/** A member of an archive, filled up to an even length. */
const member = (name: string, bytes: string): string =>
  `${name.padEnd(16)}${'0'.padEnd(32)}${String(bytes.length).padEnd(10)}\`\n${bytes}${bytes.length % 2 === 0 ? '' : '\n'}`;

const toDeb = (...members: readonly string[]): Buffer => Buffer.from(`!<arch>\n${members.join('')}`);

const form = member('debian-binary', '2.0\n');
const control = member('control.tar.xz', 'control');
const deb = toDeb(form, control, member('data.tar.xz', 'the data'));

const numbers = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );

/** A header with one number. */
const toHeader = (tag: number, type: number, value: Buffer): Buffer =>
  Buffer.concat([numbers(0x8e_ad_e8_01, 0, 1, value.length, tag, type, 0, 1), value]);

/** A package with a header of 40 bytes and a payload of 20. */
function toRpm(signature: Buffer): Buffer {
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xed_ab_ee_db);
  const gap = Buffer.alloc((8 - (signature.length % 8)) % 8);
  return Buffer.concat([
    lead,
    signature,
    gap,
    toHeader(1000, 6, Buffer.from('a name\0\0')),
    Buffer.alloc(20),
  ]);
}

const rpms = {
  SIZE: toRpm(toHeader(1000, 4, numbers(60))),
  LONGSIZE: toRpm(toHeader(270, 5, numbers(0, 60))),
};

type Judge = typeof isWholeDeb;

/** The answer for some bytes, and how many of them were read at most at a time. */
async function judge(isWhole: Judge, bytes: Buffer) {
  let most = 0;
  const whole = await isWhole(async (at, length) => {
    most = Math.max(most, length);
    return bytes.subarray(at, at + length);
  }, bytes.length);
  return { whole, most };
}

test('a package is whole when it ends where its headers say, and at no other length', async () => {
  const packages: Readonly<Record<string, readonly [Judge, Buffer]>> = {
    deb: [isWholeDeb, deb],
    SIZE: [isWholeRpm, rpms.SIZE],
    LONGSIZE: [isWholeRpm, rpms.LONGSIZE],
  };
  for (const [name, [isWhole, bytes]] of Object.entries(packages)) {
    assert.equal((await judge(isWhole, bytes)).whole, true, name);
    for (let length = 0; length < bytes.length; length += 1)
      assert.equal((await judge(isWhole, bytes.subarray(0, length))).whole, false, `${name} ${length}`);
    for (const more of ['x', 'x'.repeat(60), 'x'.repeat(100)])
      assert.equal((await judge(isWhole, Buffer.concat([bytes, Buffer.from(more)]))).whole, false, name);
  }
});

test('a package of Debian has three members, and dpkg does not need the last byte after an odd length', async () => {
  const odd = toDeb(form, control, member('data.tar', 'odd'));
  assert.equal((await judge(isWholeDeb, odd)).whole, true);
  assert.equal((await judge(isWholeDeb, odd.subarray(0, -1))).whole, true);
  const wrong = [
    toDeb(form, control),
    toDeb(form, member('data.tar', 'x')),
    toDeb(control, form, member('data.tar', '')),
  ];
  for (const bytes of wrong) assert.equal((await judge(isWholeDeb, bytes)).whole, false);
});

test('a package of rpm without a size is whole with its header', async () => {
  const rpm = toRpm(toHeader(273, 6, Buffer.from('hash\0')));
  assert.equal((await judge(isWholeRpm, rpm)).whole, true);
  assert.equal((await judge(isWholeRpm, rpm.subarray(0, -21))).whole, false);
});

test('headers that claim more than there is are refused before memory is spent', async () => {
  const claims = [
    [104, 0xff_ff_ff_ff],
    [104, 0xff_ff],
    [108, 0xff_ff_ff_ff],
    [120, 0xff_ff_ff_ff],
  ] as const;
  for (const [at, value] of claims) {
    const rpm = Buffer.from(rpms.SIZE);
    rpm.writeUInt32BE(value, at);
    const { whole, most } = await judge(isWholeRpm, rpm);
    assert.ok(!whole && most <= rpm.length, `${at} ${value} ${most}`);
  }
  const many = toDeb(
    form,
    control,
    member('data.tar', ''),
    ...Array.from({ length: 100 }, () => member('x', '')),
  );
  assert.equal((await judge(isWholeDeb, many)).whole, false);
  assert.equal(
    (await judge(isWholeDeb, Buffer.from(deb.toString().replace('4         `', '99999999999')))).whole,
    false,
  );
});
