import { parse } from 'yaml';
import { replaceKnown, toComparable } from '../placeholders.ts';
import { languages } from '../run-line.ts';
import type { Subject, Subjects } from '../subject.ts';
import { type Described, type Fillings, listRequests, type SceneRequest } from './list-requests.ts';
import { type Role, roles, type Scene } from './open-scene.ts';
import { toAnswer } from './to-answer.ts';

const identities = ['anonymous', ...roles] as const;
type Identity = (typeof identities)[number];

const toHeaders = ({ tokens }: Scene, identity: Identity): Record<string, string> =>
  identity === 'anonymous' ? {} : { authorization: `Bearer ${tokens[identity as Role]}` };

async function ask(
  scene: Scene,
  { method, path, body }: SceneRequest,
  identity: Identity,
  language: string,
): Promise<Subject> {
  const response = await fetch(`${scene.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'accept-language': language,
      ...toHeaders(scene, identity),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return toAnswer(scene.side, response);
}

/** The OpenAPI document of an instance. */
export async function readOpenApi(scene: Scene): Promise<Subject> {
  const headers = toHeaders(scene, 'admin');
  const response = await fetch(`${scene.url}/api/v1/openapi.yaml`, { headers });
  const { status } = response;
  const body = replaceKnown(await response.text(), scene.side.placeholders);
  return { head: `${status}\n`, body, form: 'openapi' };
}

const toFillings = ({ task }: Scene, origin: string): Fillings => ({
  // a repository of an origin has the port in its name
  repo: [`${origin.replace(':', '_')}/shop/web`, 'no/such/repository'],
  tag: ['7.31.0', '7.99.0'],
  id: [task, 'tsk_000000000000'],
  recipe: ['shop', 'no-such-recipe'],
  client: ['containerd', 'no-such-client'],
  name: ['vera', 'no-such-name'],
});

/** Asks an instance, as every identity in every language. @param described OpenAPI document of the older instance */
async function askAll(
  scene: Scene,
  origin: string,
  described: Described,
  stop: AbortSignal,
): Promise<Subjects> {
  const answers = new Map<string, Subject>();
  const templates = listRequests(described, toFillings(scene, origin));
  for (const request of templates)
    for (const identity of request.isBrief ? (['admin'] as const) : identities)
      for (const language of request.isBrief ? languages.slice(0, 1) : languages) {
        stop.throwIfAborted();
        const { method, path, body } = request;
        const shown = toComparable(path, scene.side.placeholders);
        const name = [
          method,
          shown,
          ...(body === undefined ? [] : [body]),
          `(${identity}, ${language})`,
        ].join(' ');
        answers.set(name, await ask(scene, request, identity, language));
      }
  return answers;
}

/** Compares the answers of two instances to the requests that the older one documents. */
export async function compareAnswers(
  scenes: readonly [Scene, Scene],
  origin: string,
  stop: AbortSignal,
): Promise<readonly [older: Subjects, newer: Subjects]> {
  const [older, newer] = scenes;
  const described = parse((await readOpenApi(older)).body) as Described;
  return Promise.all([askAll(older, origin, described, stop), askAll(newer, origin, described, stop)]);
}
