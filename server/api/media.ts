import { hasRole } from '../../src/account/model.ts';
import * as api from '../../src/contract/operations/media.ts';
import { svcError } from '../../src/text/error.ts';
import type { MediaOperations, MediaRequest } from '../operations.ts';
import { requireMedia, showMedia, showVerification } from '../views/media.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited, auditedRefusal, toTaskDetails } from './audited.ts';

/**
 * Reads the waivers of a request. A waiver member from a role below admin is refused, whatever its value. The
 * attempt is audited in both cases.
 *
 * @throws SVC-AUTH-003
 */
function toMediaRequest(call: ApiCall): MediaRequest {
  const { body, identity, exchange, report } = call;
  const asked = ['allowZoneMismatch', 'allowStale'].filter((name) => Object.hasOwn(body, name));
  if (asked.length > 0) {
    const allowed = hasRole(identity.role, 'admin');
    report.audit({
      actor: identity.actor,
      action: 'media.waiver',
      target: call.store.mediaId,
      outcome: allowed ? 'success' : 'denied',
      origin: exchange.origin,
      details: { step: 'attempt', waivers: asked.filter((name) => body[name] === true) },
    });
    if (!allowed) throw svcError('SVC-AUTH-003', { role: 'admin' });
  }
  return {
    allowZoneMismatch: body.allowZoneMismatch === true,
    allowStale: body.allowStale === true,
    actor: identity.actor,
    rank: call.holder.rank,
    origin: exchange.origin,
    requestId: exchange.correlationId,
  };
}

/** @throws SVC-CFG-001 when the instance has no `zone`, which is audited */
function requireMediaOrAudit(
  call: ApiCall,
  action: 'media.verify' | 'media.import',
): Promise<MediaOperations> {
  return auditedRefusal(call, action, call.store.mediaId, async () => requireMedia(call));
}

export const mediaRoutes: readonly ApiRoute[] = [
  route(api.getMedium, async (call) => ({ json: await showMedia(call) })),
  route(api.getVerification, (call) => ({ json: showVerification(call) })),
  route(
    api.verifyMedium,
    async (call) => {
      const media = await requireMediaOrAudit(call, 'media.verify');
      const request = toMediaRequest(call);
      if (call.body.wait === false) {
        media.beginVerification(request);
        return { json: media.verification() };
      }
      return { json: await media.verify(request) };
    },
    { audit: 'media.verify' },
  ),
  route(
    api.importMedium,
    async (call) => {
      const media = await requireMediaOrAudit(call, 'media.import');
      const request = toMediaRequest(call);
      const task = await audited(
        call,
        'media.import',
        call.store.mediaId,
        () => media.submitImport(request),
        {},
        toTaskDetails,
      );
      return { json: { task } };
    },
    { audit: 'media.import' },
  ),
];
