import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSelfSigned } from '../../../src/certificate/self-signed.ts';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import type { Mistake, MistakeWorld, Typed } from './mistake.ts';

/** Writes a recipe document. @returns its path */
async function writeRecipe({ rehearsal }: MistakeWorld, host: string): Promise<string> {
  const path = rehearsal.path('recipe.yaml');
  const digest = `sha256:${'a'.repeat(64)}` as const;
  const ingredients = [{ name: 'web', repository: 'shop/web', version: '1.0', digest }];
  await writeFile(path, toRecipeDocument(host, { name: 'shop', version: '1.0.0', ingredients }));
  return path;
}

/** A server that answers every request with a page, as the sign-in page of a proxy does. */
async function openPageServer(): Promise<{ readonly host: string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in</title>');
  });
  // the request to a proxy for TLS
  server.on('connect', (_request, socket) => {
    const page = '<!doctype html><title>Blocked</title>';
    socket.on('error', () => {});
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

const push = async (
  world: MistakeWorld,
  host: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> => [
  'recipe',
  'push',
  await writeRecipe(world, host),
  `${host}/cookbook/shop:1.0.0`,
  '--config',
  await world.rehearsal.configure('publisher', settings),
];

/** Publishes to a registry whose certificate is valid for ten days from a date. */
async function pushToDated(world: MistakeWorld, since: string, says: RegExp): Promise<Typed> {
  const { cert, key } = createSelfSigned(['127.0.0.1'], 10, new Date(since));
  const registry = await world.rehearsal.double({ tls: { ...tlsPair, cert, key } });
  const args = await push(world, registry.host, { network: { tls: { ca: cert } } });
  return { args, exitCode: 1, code: 'SVC-REG-002', record: 'info', says };
}

/** Mistakes with registries: networks, certificates, credentials, recipes. */
export const registryMistakes: readonly Mistake[] = [
  {
    title: 'The registry speaks plain HTTP',
    situation: 'The registry has no TLS, and the configuration does not say so.',
    async make(world) {
      const registry = await world.rehearsal.double();
      return {
        args: await push(world, registry.host, {}),
        exitCode: 1,
        code: 'SVC-REG-002',
        record: 'info',
        says: /registries\.insecure/,
      };
    },
  },
  {
    title: 'The certificate of the registry comes from an authority of the company',
    situation: 'Neither the system nor the configuration knows the authority.',
    async make(world) {
      const registry = await world.rehearsal.double({ tls: tlsPair });
      return {
        args: await push(world, registry.host, {}),
        exitCode: 1,
        code: 'SVC-REG-002',
        record: 'info',
        says: /network\.tls\.caFiles/,
      };
    },
  },
  {
    title: 'The clock of the machine is wrong',
    situation: 'The battery of the clock is empty: the machine believes that it is 1970.',
    make: (world) => pushToDated(world, '2040-01-01', /The clock of this machine says/),
  },
  {
    title: 'The certificate of the registry has expired',
    situation: 'Nobody renewed it.',
    make: (world) => pushToDated(world, '2001-01-01', /has expired/),
  },
  {
    title: 'Nobody listens at the address of the registry',
    situation: 'The registry is down, or the port is another one.',
    async make(world) {
      const settings = { registries: { insecure: ['127.0.0.1:9'] }, sync: { retries: 0 } };
      return {
        args: await push(world, '127.0.0.1:9', settings),
        exitCode: 1,
        code: 'SVC-REG-002',
        record: 'info',
        says: /nothing listens/,
      };
    },
  },
  {
    title: 'A proxy or portal answers with a page',
    situation: 'A sign-in page of the network stands before the registry.',
    async make(world) {
      const page = await openPageServer();
      const args = await push(world, page.host, { registries: { insecure: [page.host] } });
      return {
        args,
        exitCode: 1,
        code: 'SVC-REG-002',
        record: 'info',
        says: /the server answered with a page instead of/,
        after: () => page.close(),
      };
    },
  },
  {
    title: 'The forward proxy answers with a page',
    situation: 'The proxy of the company refuses the tunnel, and explains in HTML why.',
    async make(world) {
      const page = await openPageServer();
      const args = await push(world, 'registry.example:5000', {
        network: { proxy: { url: `http://${page.host}` } },
        sync: { retries: 0 },
      });
      return {
        args,
        exitCode: 1,
        code: 'SVC-NET-001',
        record: 'info',
        says: /the proxy answered 403/,
        shown: [[page.host, 'proxy.example:3128']],
        after: () => page.close(),
      };
    },
  },
  {
    title: 'The password of the registry was stored with a newline',
    situation:
      '`echo` made the value of `auth` in the credentials file, and added a newline to the password.',
    async make(world) {
      const registry = await world.rehearsal.start('registry');
      const file = world.rehearsal.path('credentials.json');
      const auth = Buffer.from('admin:correct horse battery staple\n').toString('base64');
      await writeFile(file, JSON.stringify({ auths: { [registry.host]: { auth } } }), { mode: 0o600 });
      const settings = { registries: { insecure: [registry.host], credentialsFile: file } };
      return {
        args: await push(world, registry.host, settings),
        exitCode: 1,
        code: 'SVC-VAL-001',
        says: /printf, not echo/,
        after: () => registry.stop(),
      };
    },
  },
  {
    title: 'The credentials file has no password',
    situation:
      '`docker login` ran with a credential helper (`credsStore`), which keeps the password outside of the file. svc runs no helper.',
    async make(world) {
      const registry = await world.rehearsal.start('registry');
      const file = world.rehearsal.path('helper.json');
      const written = { auths: { [registry.host]: {} }, credsStore: 'desktop' };
      await writeFile(file, JSON.stringify(written), { mode: 0o600 });
      const settings = { registries: { insecure: [registry.host], credentialsFile: file } };
      return {
        args: await push(world, registry.host, settings),
        exitCode: 1,
        code: 'SVC-REG-003',
        record: 'warn',
        says: /credential/,
        after: () => registry.stop(),
      };
    },
  },
  {
    title: 'The recipe to push does not exist',
    situation: 'The name of the file is misspelt.',
    async make({ rehearsal }) {
      const args = ['recipe', 'push', rehearsal.path('shop.yml'), '127.0.0.1:9/cookbook/shop:1.0.0'];
      return { args, exitCode: 1, code: 'SVC-FIL-005', says: /does not exist/ };
    },
  },
  {
    title: 'The recipe to export is not in the store',
    situation: 'The name of the recipe is misspelt.',
    async make({ carry }) {
      const { config } = await carry();
      const out = await openTempFolder();
      const args = ['export', join(out.path, 'shop.tar'), '--recipe', 'shopp', '--config', config];
      const after = () => out[Symbol.asyncDispose]();
      return { args, exitCode: 1, code: 'SVC-REG-005', record: 'info', after, says: /shop\b/ };
    },
  },
];
