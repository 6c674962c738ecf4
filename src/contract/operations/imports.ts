import { Inspection } from '../content.ts';
import { field, operation } from '../operation.ts';
import { importReference } from '../patterns.ts';
import { boolean, digest, list, object, text } from '../schema.ts';
import { TaskAnswer } from '../task.ts';
import { contacting, queueing, reading } from './error-codes.ts';
import { taskSteps } from './next-steps.ts';

export const inspectArtifact = operation({
  id: 'inspectArtifact',
  method: 'GET',
  path: '/import/inspect',
  floor: 'operator',
  errors: [...contacting, ...reading, 'SVC-REG-004'],
  summary: 'Inspects an artifact of a registry, or a chart of a chart repository, before an import',
  query: {
    reference: {
      ...field(
        importReference,
        '`registry/repository:tag`, `…@digest`, `oci://…`, or `https://repository/chart[:version]` of a chart repository',
        'registry.example/library/app:1.4.2',
      ),
      required: true,
    },
  },
  answer: { status: 200, description: 'The content an import would add', schema: Inspection },
});

export const importArtifact = operation({
  id: 'importArtifact',
  method: 'POST',
  path: '/import',
  floor: 'operator',
  errors: [...queueing, 'SVC-REG-001', 'SVC-POL-001', 'SVC-MED-030'],
  summary: 'Imports an inspected artifact',
  body: {
    schema: object({
      reference: importReference,
      platforms: { ...list(object({ name: text({ minLength: 1, maxLength: 256 }), digest })), minItems: 1 },
      'vendorDependencies?': boolean,
    }),
    required: true,
    examples: {
      image: {
        summary: 'Imports one platform of an image',
        value: {
          reference: 'registry.example/library/app:1.4.2',
          platforms: [
            {
              name: 'linux/amd64',
              digest: 'sha256:4f1d8a5c0e7b93628ad1c4f5e6907b8a2d3c4e5f60718293a4b5c6d7e8f90a1b',
            },
          ],
        },
      },
    },
  },
  answer: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
});
