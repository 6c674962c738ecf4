import { hasRole } from '../../src/account/model.ts';
import { Media, MediumReport, VerificationState } from '../../src/contract/medium.ts';
import { anyOf, boolean, described, object } from '../../src/contract/schema.ts';
import { TaskAnswer } from '../../src/contract/task.ts';
import { svcError } from '../../src/text/error.ts';
import type { MediaOperations, MediaRequest } from '../operations.ts';
import { requireMedia, showMedia, showVerification } from '../views/media.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited, auditedRefusal, toTaskDetails } from './audited.ts';
import { taskSteps } from './next-steps.ts';
import { queueing, reading, writing } from './openapi/error-codes.ts';

const waivers = { 'allowZoneMismatch?': boolean, 'allowStale?': boolean };

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
  route({
    id: 'getMedium',
    method: 'GET',
    path: '/media',
    floor: 'operator',
    errors: ['SVC-CFG-001', 'SVC-STO-001'],
    polled: true,
    summary: 'The medium and the last import for this zone',
    success: { status: 200, description: 'The record', schema: Media },
    handler: async (call) => ({ json: await showMedia(call) }),
  }),
  route({
    id: 'getVerification',
    method: 'GET',
    path: '/media/verification',
    floor: 'operator',
    errors: ['SVC-CFG-001'],
    polled: true,
    summary: 'Serving gate, verification under way, last report',
    success: { status: 200, description: 'The state', schema: VerificationState },
    handler: (call) => ({ json: showVerification(call) }),
  }),
  route({
    id: 'verifyMedium',
    method: 'POST',
    path: '/media/verify',
    floor: 'operator',
    errors: [
      ...reading,
      ...writing,
      'SVC-CFG-001',
      'SVC-MED-031',
      'SVC-STO-007',
      'SVC-STO-020',
      'SVC-TSK-003',
    ],
    summary: 'Verifies the medium without pushing anything',
    audit: 'media.verify',
    body: {
      schema: object({
        ...waivers,
        'wait?': described('false: answers immediately with the state; the verification continues', {
          ...boolean,
          default: true,
        }),
      }),
      examples: {
        report: { summary: 'Verifies, and waits for the report', value: {} },
        begin: { summary: 'Begins a verification', value: { wait: false } },
      },
    },
    success: {
      status: 200,
      description: 'The report, with any verdict; without waiting for it, the state of the verification',
      schema: anyOf(MediumReport, VerificationState),
    },
    handler: async (call) => {
      const media = await requireMediaOrAudit(call, 'media.verify');
      const request = toMediaRequest(call);
      if (call.body.wait === false) {
        media.beginVerification(request);
        return { json: media.verification() };
      }
      return { json: await media.verify(request) };
    },
  }),
  route({
    id: 'importMedium',
    method: 'POST',
    path: '/media/import',
    floor: 'operator',
    errors: [...queueing, 'SVC-CFG-001', 'SVC-MED-031'],
    summary: 'Verifies the medium and pushes what passes to the registry of the zone',
    audit: 'media.import',
    body: {
      schema: object(waivers),
      examples: {
        strict: { summary: 'Imports a medium for this zone', value: {} },
        waived: {
          summary: 'Imports although the medium is older than the last',
          value: { allowStale: true },
        },
      },
    },
    success: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
    handler: async (call) => {
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
  }),
];
