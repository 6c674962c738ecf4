import type { TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Origin, toOrigin } from '../content/origin.ts';
import type { Instance } from '../instance/instance.ts';
import type { RegistryDouble } from '../result/registry-double.ts';
import { openBrowser } from '../web/browser.ts';
import { openVisitor, type Visitor, type Way } from '../web/visitor.ts';
import { openRehearsal, type Rehearsal } from './rehearsal.ts';

type Settings = Readonly<Record<string, unknown>>;

/** An instance of the product with a registry that it may ask, and visitors of its web interface. */
export interface VisitedInstance extends AsyncDisposable {
  readonly world: Rehearsal;
  readonly instance: Instance;
  /** Where content of other people is, in a registry in memory. */
  readonly double: RegistryDouble;
  readonly origin: Origin;
  readonly browser: Browser;
  /** A visitor signed in as the administrator: one for each way, for as long as the instance runs. */
  visit(way: Way): Promise<Visitor>;
  /** Another visitor, not signed in. */
  meet(way: Way): Promise<Visitor>;
}

/** @param configure settings of the instance, from its surroundings */
export async function openVisitedInstance(
  context: Pick<TestContext, 'skip'>,
  configure: (world: Rehearsal, origin: Origin) => Promise<Settings> = async () => ({}),
): Promise<VisitedInstance | undefined> {
  const browser = await openBrowser(context);
  if (browser === undefined) return undefined;
  const world = await openRehearsal();
  const double = await world.double();
  const origin = toOrigin(double);
  const registries = await world.registries([origin.host]);
  const configured = await configure(world, origin);
  const instance = await world.start('visited', { registries, trust: world.trust, ...configured });
  const { url } = instance;
  const visitors = new Map<Way, Promise<Visitor>>();
  const arrive = async (way: Way): Promise<Visitor> => {
    const visitor = await openVisitor({ browser, url, way });
    await visitor.signIn();
    return visitor;
  };
  return {
    world,
    instance,
    double,
    origin,
    browser,
    visit: (way) => {
      const known = visitors.get(way) ?? arrive(way);
      visitors.set(way, known);
      return known;
    },
    meet: (way) => openVisitor({ browser, url, way }),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Opens it once for all tests of a file, when the first of them asks; where there is no browser, each is skipped by name. */
export function shareVisitedInstance(configure?: Parameters<typeof openVisitedInstance>[1]): {
  open(context: Pick<TestContext, 'skip'>): Promise<VisitedInstance | undefined>;
  close(): Promise<void>;
} {
  let shared: Promise<VisitedInstance | undefined> | undefined;
  return {
    open: async (context) => {
      shared ??= openVisitedInstance(context, configure);
      const opened = await shared;
      // without a browser, each test is skipped by its own context
      if (opened === undefined) shared = undefined;
      return opened;
    },
    close: async () => (await shared)?.[Symbol.asyncDispose](),
  };
}
