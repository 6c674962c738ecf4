import { hasRole } from '../../src/account/model.ts';
import { nameChartImages } from '../../src/authoring/door.ts';
import * as api from '../../src/contract/operations/media.ts';
import type { MediumProof } from '../../src/contract/proof.ts';
import type { FindChartImages } from '../../src/engine/prove/charts-step.ts';
import type { MediumRequest } from '../../src/operation/instance/medium-requests.ts';
import { forgetDelivery } from '../../src/operation/zone/forget-delivery.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { planDelivery, showProof } from '../views/delivering.ts';
import {
  listDeliveries,
  requireDeliveries,
  requireZone,
  showMedia,
  showVerification,
} from '../views/media.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited, auditedRefusal, toRequester, toTaskDetails } from './audited.ts';
import { ofBody } from './request/parse-request.ts';

/** Members of a request that waive a guard. */
const waivers = ['allowZoneMismatch', 'allowStale'];

/**
 * Reads the waivers of a request, and their reason. A waiver member from a role below admin is refused, even with the value false. The
 * attempt is audited in both cases.
 *
 * @throws SVC-AUTH-003
 */
function toMediumRequest(call: ApiCall): MediumRequest {
  const { body, identity, exchange, report } = call;
  const reason = typeof body.reason === 'string' ? body.reason : undefined;
  const asked = waivers.filter((name) => Object.hasOwn(body, name));
  if (asked.length > 0) {
    const allowed = hasRole(identity.role, 'admin');
    report.audit({
      actor: identity.actor,
      action: 'media.waiver',
      target: call.store.mediaId,
      outcome: allowed ? 'success' : 'denied',
      origin: exchange.origin,
      details: { step: 'attempt', waivers: asked.filter((name) => body[name] === true), reason },
    });
    if (!allowed) throw svcError('SVC-AUTH-003', { role: 'admin' });
  }
  return {
    allowZoneMismatch: body.allowZoneMismatch === true,
    allowStale: body.allowStale === true,
    reason,
    ...toRequester(call),
  };
}

/** @throws SVC-CFG-001 when the instance has no `zone`, which is audited */
function requireZoneOrAudit(call: ApiCall, action: 'media.verify' | 'media.import'): Promise<string> {
  return auditedRefusal(call, action, call.store.mediaId, async () => requireZone(call));
}

/** @throws SVC-VAL-001 for a reason without a waiver, which is audited */
function requireReasonOfWaiver(call: ApiCall, action: 'media.verify' | 'media.import'): Promise<void> {
  const { body, store } = call;
  return auditedRefusal(call, action, store.mediaId, async () => {
    if (body.reason !== undefined && !waivers.some((name) => body[name] === true))
      throw svcError('SVC-VAL-001', {
        file: ofBody,
        path: '/reason',
        rule: rule(['is only for a waived guard', fr`n’est que pour un contrôle auquel il est dérogé`]),
      });
  });
}

/** Finds the images of charts without helm: a request runs no program. */
const findImages: FindChartImages = (archive, { reference }) =>
  nameChartImages(archive, reference, { values: [], render: false, path: '' });

/** Cancels the verification that runs, unless an import waits for it. */
function cancelVerification({ instance, store, identity: { actor }, exchange, report }: ApiCall): void {
  if (!instance.verifier.cancel(actor)) return;
  report.audit({
    actor,
    action: 'media.verify_cancel',
    target: store.root,
    outcome: 'success',
    origin: exchange.origin,
  });
}

/** Cancels the proof that runs, if one does. */
function cancelProof({ instance: { proofs }, store, identity: { actor }, exchange, report }: ApiCall): void {
  const { running } = proofs.state;
  if (running === undefined) return;
  const target = (running.folders.length === 0 ? [store.root] : running.folders).join(', ');
  proofs.cancel(actor);
  report.audit({
    actor,
    action: 'media.prove_cancel',
    target,
    outcome: 'success',
    origin: exchange.origin,
  });
}

export const mediaRoutes: readonly ApiRoute[] = [
  route(api.getMedium, async (call) => ({ json: await showMedia(call) })),
  route(api.listDeliveries, async (call) => ({ json: await listDeliveries(call) })),
  route(
    api.forgetDelivery,
    async (call) => {
      const { delivery: id } = call.path;
      const { fingerprint } = call.body;
      const delivery = await audited(call, 'media.forget', id.slice(0, 64), () =>
        // an import keeps segments before its delivery has a record
        call.tasks.whileIdle(async () => forgetDelivery(requireDeliveries(call), id, fingerprint)),
      );
      return { json: { delivery } };
    },
    { audit: 'media.forget' },
  ),
  route(api.getVerification, (call) => ({ json: showVerification(call) })),
  route(
    api.verifyMedium,
    async (call) => {
      const { instance, operations } = call;
      await requireZoneOrAudit(call, 'media.verify');
      const request = toMediumRequest(call);
      await requireReasonOfWaiver(call, 'media.verify');
      if (call.body.wait !== false) return { json: await operations.verifyMedium(instance, request) };
      operations.beginVerification(instance, request);
      return { json: showVerification(call) };
    },
    { audit: 'media.verify' },
  ),
  route(
    api.importMedium,
    async (call) => {
      await requireZoneOrAudit(call, 'media.import');
      const request = toMediumRequest(call);
      await requireReasonOfWaiver(call, 'media.import');
      const task = await audited(
        call,
        'media.import',
        call.store.mediaId,
        () => call.operations.submitMediumImport(call.instance, request),
        {},
        toTaskDetails,
      );
      return { json: { task } };
    },
    { audit: 'media.import' },
  ),
  route(api.planMedia, async (call) => ({ json: await planDelivery(call, call.query) })),
  route(
    api.writeMedia,
    async (call) => {
      const { folders, zone, base = 'latest', recipes = [], wanted = false, volumeBytes } = call.body;
      const task = await auditedRefusal(call, 'media.write', folders.join(', '), () =>
        call.operations.submitMediaWrite(call.instance, {
          folders,
          zone,
          base,
          recipes,
          ...(wanted ? { wanted } : {}),
          ...(volumeBytes === undefined ? {} : { volumeBytes: [volumeBytes].flat() }),
          ...toRequester(call),
        }),
      );
      return { json: { task } };
    },
    { audit: 'media.write' },
  ),
  route(
    api.cancelVerification,
    (call) => {
      cancelVerification(call);
      return { json: showVerification(call) };
    },
    { audit: 'media.verify_cancel' },
  ),
  route(api.getProof, (call) => ({ json: showProof(call) })),
  route(
    api.proveMedium,
    async (call) => {
      const { body, instance, operations, signal } = call;
      const { wait = true, ...asked } = body;
      const request = { ...asked, actor: call.identity.actor, origin: call.exchange.origin };
      const target = (asked.folders ?? [call.store.root]).join(', ');
      const record = (work: () => Promise<MediumProof>): Promise<MediumProof> =>
        audited(
          call,
          'media.prove',
          target,
          work,
          {},
          ({ verdict }) => ({ verdict }),
          ({ verdict }) => verdict !== 'proved',
        );
      if (wait)
        return { json: await record(() => operations.proveMediaHere(instance, request, findImages, signal)) };
      await auditedRefusal(call, 'media.prove', target, () =>
        operations.beginProof(instance, request, findImages, record),
      );
      return { json: showProof(call) };
    },
    { audit: 'media.prove' },
  ),
  route(
    api.cancelProof,
    (call) => {
      cancelProof(call);
      return { json: showProof(call) };
    },
    { audit: 'media.prove_cancel' },
  ),
];
