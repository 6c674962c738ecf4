import { Identity } from '../identity.ts';
import { operation } from '../operation.ts';
import { described, object, string } from '../schema.ts';
import { Status } from '../status.ts';

export const getIdentity = operation({
  id: 'getIdentity',
  method: 'GET',
  path: '/whoami',
  floor: 'viewer',
  errors: [],
  summary: 'Account or token of the request, its role, and when its session ends',
  answer: { status: 200, description: 'The identity', schema: Identity },
});

export const getStatus = operation({
  id: 'getStatus',
  method: 'GET',
  path: '/status',
  floor: 'viewer',
  errors: [],
  polled: true,
  summary: 'State of the instance: version, mode, gate, occupancy, tasks, notices',
  answer: { status: 200, description: 'The state', schema: Status },
});

export const getOpenApiDocument = operation({
  id: 'getOpenApiDocument',
  method: 'GET',
  path: '/openapi.yaml',
  floor: 'viewer',
  errors: [],
  summary: 'This document',
  answer: {
    status: 200,
    description: 'The OpenAPI 3.1 document',
    schema: {
      type: 'object',
      description: 'An OpenAPI document',
      required: ['openapi', 'info', 'paths', 'components'],
      properties: {
        openapi: { type: 'string', const: '3.1.0', description: 'Version of the specification' },
      },
    },
    contentTypes: ['application/yaml'],
  },
});

export const getCliOutputSchema = operation({
  id: 'getCliOutputSchema',
  method: 'GET',
  path: '/cli-output.schema.json',
  floor: 'viewer',
  errors: [],
  summary: 'JSON Schema of the output of the commands with --output json',
  answer: {
    status: 200,
    description: 'A JSON Schema with one definition per reporting command',
    schema: object({
      $schema: {
        type: 'string',
        const: 'https://json-schema.org/draft/2020-12/schema',
        description: 'Dialect',
      },
      title: described('Title of the document', string),
      $defs: {
        type: 'object',
        description: 'One definition for each command, by its words',
        propertyNames: { type: 'string', pattern: '^svc( [a-z]+){1,2}$' },
        additionalProperties: { type: 'object' },
      },
    }),
    contentTypes: ['application/schema+json'],
  },
});
