import { packEvidence } from '../../src/contract/operations/evidence.ts';
import { toScope } from '../../src/engine/evidence/to-scope.ts';
import { parseRecipeName } from '../../src/recipe/metadata.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { dataHeaders } from '../data-headers.ts';
import { rememberPack } from '../packed-evidence.ts';
import { sendParts } from '../send-parts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';

export const evidenceRoutes: readonly ApiRoute[] = [
  route(
    packEvidence,
    async (call) => {
      const { body, exchange, holder, instance, operations } = call;
      const scope = toScope(body);
      if (scope === undefined)
        throw svcError('SVC-VAL-001', {
          file: rule(['request body', fr`corps de la requête`]),
          path: '/',
          rule: rule([
            'must have one of delivery, recipe and since',
            fr`doit avoir l’un de delivery, recipe et since`,
          ]),
        });
      if (scope.kind === 'recipe') parseRecipeName(scope.value);
      const until = AbortSignal.any([call.signal, instance.signal]);
      await instance.places.evidence.run(holder, until, async (signal) => {
        const input = {
          scope,
          withholdActors: body.redact === 'actors',
          language: body.language ?? 'en',
          signal,
        };
        await using pack = await audited(
          call,
          'evidence.pack',
          scope.value,
          () => operations.packForClient(instance, input),
          { [scope.kind]: scope.value },
        );
        const { size, content } = pack;
        const name = `${pack.name}.tar`;
        exchange.res.writeHead(200, {
          ...dataHeaders,
          'x-request-id': exchange.correlationId,
          'content-type': 'application/x-tar',
          'content-length': size,
          'content-disposition': `attachment; filename="${name}"`,
        });
        const by = { instance, actor: call.identity.actor };
        await sendParts(
          exchange.res,
          rememberPack(
            by,
            { name, size, scope, withholdActors: input.withholdActors, content },
            pack.read(signal),
          ),
        );
      });
      return { sent: true };
    },
    { audit: 'evidence.pack' },
  ),
];
