import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import type { ZoneBoard, ZoneRecipeState } from '../../../src/contract/zone-board.ts';
import { readZoneBoards } from '../../../src/operation/zone/read-zone-boards.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openReceipts } from '../../../src/zone/receipts.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

// Each line is a zone: the events at the source in their order, then the board of day 60 as a person reads it from them.
//
// Every zone wants version 2.0.0 of a, b and c.
//   D3@50:ab    delivery 3 with a and b, written on day 50; `/2` on two disks; `?` interrupted, one disk is not written
//   r7@40:…     receipt 7 of day 40 is added. `2` the wanted version is whole, `1` version 1.0.0 is, `!` blocked, `~` incomplete
//   …<D3.1      the receipt names part 1 of delivery 3 as the last import
//   …+          the zone has imported something that is no delivery of this sender
//   …=SVC-…     the source refuses it with this code
//   x           a receipt is lost on the way: nothing happens at the source
//
// Board: the states of a, b and c (Current, Behind, in Transit, blocked !, Missing, Unknown), the number of the receipt with
// `o` for overdue and `f` for a fork, and the deliveries under way with `o` for overdue.
const fleet = `
z01 | r1@58:a2b2c2                                             | CCC 1
z02 | r1@58:a2b2c1                                             | CCB 1
z03 | r1@58:a2b2                                               | CCM 1
z04 | r1@58:a2b!c!                                             | C!! 1
z05 | r1@58:a2b!b1c~                                           | C!M 1
z06 | r1@20:a2b2c2                                             | CCC 1o
z07 | r1@20:a1b1c1                                             | BBB 1o
z08 |                                                          | UUU -
z09 | D1@58:abc                                                | TTT - D1
z10 | D1@10:abc                                                | TTT - D1o
z11 | D1@58?:abc                                               | UUU -
z12 | D1@58:ab                                                 | TTU - D1
z13 | r1@40:a1b1c1+ D1@50:abc                                  | TTT 1 D1
z14 | r1@40:a1b1c1+ D1@50:a                                    | TBB 1 D1
z15 | r1@40:a2b1c1+ D1@50:abc                                  | CTT 1 D1
z16 | D1@40:abc r1@50:a2b2c2<D1.1                              | CCC 1
z17 | D1@40:abc r1@50:a2b2c!<D1.1                              | CC! 1
z18 | D1@40:abc r1@50:a2b2<D1.1                                | CCM 1
z19 | D1@40:ab r1@45:a1b1c1+ D2@50:c                           | TTT 1 D2 D1
z20 | D1@40:abc D2@45:abc r1@41:a1b1c1<D1.1                    | TTT 1 D2
z21 | D1@40:abc D2@45:abc r1@50:a1b1c1<D1.1                    | TTT 1 D2
z22 | D1@40:abc D2@45:abc r1@50:a2b1c1<D2.1                    | CBB 1
z23 | D1@40:abc/2 r1@50:a2b~<D1.1                              | CTT 1 D1
z24 | D1@40:abc/2 r1@50:a2b2c2<D1.2                            | CCC 1
z25 | D1@20:abc/2 r1@50:a2b~c1<D1.1                            | CTT 1 D1o
z26 | D1@40:ab/2 r1@50:a2b!c1<D1.2                             | C!B 1
z27 | r1@10:a1b1c1 D1@20:abc x                                 | TTT 1o D1o
z28 | D1@40:abc r1@45:a1b1c1 x                                 | TTT 1 D1
z29 | r1@10:a1b1c1 x r3@50:a2b2c2                              | CCC 3
z30 | r1@40:a2b2c2 x D2@45:abc x                               | CCC 1 D2
z31 | r2@50:a2b2c2 r1@40:a1b1c1=SVC-RCP-002                    | CCC 2
z32 | r9@50:a2b1c1 r4@59:a2b2c2=SVC-RCP-002                    | CBB 9
z33 | r2@20:a1b1c1 r1@59:a2b2c2=SVC-RCP-002                    | BBB 2o
z34 | D1@30:abc r3@50:a2b2c2<D1.1 r2@40:a1b1c1=SVC-RCP-002     | CCC 3
z35 | r5@50:a! r4@40:a2b2c2=SVC-RCP-002 r3@30:a2=SVC-RCP-002   | !MM 5
z36 | r1@50:a2b2c2 r1@50:a2b2c2                                | CCC 1
z37 | r1@20:a2b2c2 r1@20:a2b2c2 r1@20:a2b2c2                   | CCC 1o
z38 | r1@40:a1b1c1+ D1@50:abc r1@40:a1b1c1+                    | TTT 1 D1
z39 | r1@40:a1b1c1 r2@50:a2b2c2 r1@40:a1b1c1=SVC-RCP-002       | CCC 2
z40 | r2@40:a2b2c1 r2@40:a2b2c1 D1@50:c r2@40:a2b2c1           | CCT 2 D1
z41 | r1@50:a2b2c2 r1@51:a2b2c1=SVC-RCP-003                    | UUU 1f
z42 | r1@50:a1b1c1 r1@50:a2b2c2=SVC-RCP-003                    | UUU 1f
z43 | r1@20:a2b2c2 r1@21:=SVC-RCP-003                          | UUU 1of
z44 | r1@50:a2b2c2 r1@51:a1=SVC-RCP-003 r3@55:a2b2c1           | CCB 3
z45 | r1@50:a2b2c2 r1@51:a1=SVC-RCP-003 r1@50:a2b2c2           | UUU 1f
z46 | r1@50:a2 r1@51:a1=SVC-RCP-003 r1@52:b1=SVC-RCP-003       | UUU 1f
z47 | D1@40:abc r1@50:a2b2c2<D1.1 r1@51:a2=SVC-RCP-003         | UUU 1f
z48 | r1@45:a1+ r1@46:a2=SVC-RCP-003 D1@50:abc                 | UUU 1f D1
z49 | r3@50:a2b2c2 r3@51:a1=SVC-RCP-003 r2@40:a1=SVC-RCP-002   | UUU 3f
z50 | r1@50:a2 r1@51:a1=SVC-RCP-003 r3@52:a2 r3@53:b2=SVC-RCP-003 | UUU 3f
`;

const names = ['a', 'b', 'c'] as const;
const day = 24 * 60 * 60 * 1000;
const toDay = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * day).toISOString();
const digestOf = (name: string, version = '2.0.0'): Digest => hashBytes(`${name} ${version}`);
const letters: Readonly<Record<ZoneRecipeState, string>> = {
  current: 'C',
  behind: 'B',
  'in-transit': 'T',
  blocked: '!',
  missing: 'M',
  unknown: 'U',
};

function show({ recipes, receipt, deliveries }: ZoneBoard): string {
  const stated =
    receipt === undefined
      ? '-'
      : `${receipt.sequence}${receipt.overdue ? 'o' : ''}${receipt.fork ? 'f' : ''}`;
  const sent = deliveries.map(({ id, overdue }) => `D${Number(id.slice(-2))}${overdue ? 'o' : ''}`);
  return [recipes.map(({ state }) => letters[state]).join(''), stated, ...sent].join(' ');
}

const toManifest = (zone: string, number: string, part: number): Digest =>
  hashBytes(`${zone} ${number} ${part}`);

const idOf = (zone: string, number: string): string =>
  `dlv_${hashBytes(zone).slice(-10)}${number.padStart(2, '0')}`;

function toRecipes(text: string): Receipt['recipes'] {
  return [...text.matchAll(/([abc])([12!~])/g)].map(([, name = '', mark]) => {
    const version = mark === '1' ? '1.0.0' : '2.0.0';
    const recipe = { name, version, digest: digestOf(name, version) };
    if (mark === '!') return { ...recipe, state: 'blocked', code: 'SVC-SIG-001' };
    if (mark === '~') return { ...recipe, state: 'incomplete', missing: { files: 2, bytes: 2048 } };
    return { ...recipe, state: 'present' };
  });
}

test('the board of a fleet of fifty zones is the one that a person reads from the events', async () => {
  await using folder = await openTempFolder();
  const receipts = openReceipts(folder.path);
  const sent = openSent(folder.path);
  const peers: { name: string; keyFile: string; for: ('receipt' | 'passport')[] }[] = [];
  const expected: string[] = [];
  for (const line of fleet.trim().split('\n')) {
    const [zone = '', events = '', board = ''] = line.split('|').map((part) => part.trim());
    expected.push(`${zone} ${board}`);
    const { privateKey, publicKeyPem } = createSigner();
    const keyFile = join(folder.path, `${zone}.pub`);
    await writeFile(keyFile, publicKeyPem);
    peers.push({ name: zone, keyFile, for: ['receipt'] });
    const signer = toSigner(privateKey);
    const keys = [{ name: zone, key: signer.publicKey, for: ['receipt'] }];
    for (const event of events.split(' ').filter((one) => one !== '' && one !== 'x')) {
      const delivery = /^D(\d+)@(\d+)(\??):([abc]+)(?:\/(\d))?$/.exec(event);
      if (delivery !== null) {
        const [, number = '', at, isCut, carried = '', disks = '1'] = delivery;
        const parts = Number(disks);
        const written = Array.from({ length: isCut ? parts - 1 : parts }, (_, i) => ({
          part: i + 1,
          manifest: toManifest(zone, number, i + 1),
        }));
        await sent.keepDelivery({
          id: idOf(zone, number),
          zone,
          sequence: Number(number),
          startedAt: toDay(Number(at)),
          recipes: [...carried].map((name) => digestOf(name)),
          parts,
          written,
        });
        continue;
      }
      const [, sequence, at, held = '', last, part, isOther, code] =
        /^r(\d+)@(\d+):([abc12!~]*)(?:<D(\d+)\.(\d))?(\+?)(?:=(.+))?$/.exec(event) ?? assert.fail(event);
      const freshness = { mediaId: 'medium', resolvedAt: toDay(1) };
      const lastDelivery = last && {
        id: idOf(zone, last),
        part: Number(part),
        manifest: toManifest(zone, last, Number(part)),
      };
      const receipt = toReceipt({
        zone,
        sequence: Number(sequence),
        issuedAt: toDay(Number(at)),
        recipes: toRecipes(held),
        ...(isOther || lastDelivery ? { freshness } : {}),
        ...(lastDelivery ? { lastDelivery } : {}),
      });
      const bytes = writeReceipt(receipt, [toSubject(toZoneFile(zone))], signer);
      const refusal = await receipts.add(bytes, { keys }).then(
        () => undefined,
        (error: unknown) => (isSvcError(error) ? error.code : assert.fail(String(error))),
      );
      assert.equal(refusal, code, `${zone} ${event}`);
    }
  }
  const boards = await readZoneBoards(
    {
      config: { state: { root: folder.path }, peers } as never,
      policy: { roots: [] } as never,
      report: silentReport,
    },
    {
      wanted: {
        get: async () => ({
          resolvedAt: toDay(60),
          recipes: names.map((name) => ({
            name,
            requested: '^2.0.0',
            version: '2.0.0',
            digest: digestOf(name),
          })),
        }),
      },
      zones: peers.map(({ name }) => ({ name, retriever: `/${name}.yaml`, maxAge: 30 * day })),
      now: Date.parse(toDay(60)),
    },
  );
  assert.deepEqual(
    boards.map((board) => `${board.name} ${show(board)}`),
    expected,
  );
});
