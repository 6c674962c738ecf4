import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLiterals } from '../../../src/authoring/chart/find-literals.ts';

test('the text of a template gives the images of its members, arguments and variables', () => {
  const text = [
    '          image: busybox:1.36',
    '        - {name: c, image: "team/c:v1"}',
    '          args: ["--sidecar=quay.io/team/app:2.0.1", "--port=8080"]',
    '            - --other=prom/side:v1',
    '            - name: SIDE',
    "              value: 'quay.io/team/side:3' # quay.io/never/comment:1",
    '  sidecarImage: grafana/grafana:10.4.1',
    '  image: "{{ .Values.image }}"',
    '  image: quay.io/team/app:1-{{ .Values.flavour }}',
    '  image: {{ .Values.host }}/team/app:1',
    '  image: {{ default "quay.io/team/default:4" .Values.image }}',
    '{{- /* image: quay.io/never/note:1',
    '  quay.io/never/more:1 */ -}}',
    '# image: quay.io/never/line:1',
    '  image: nginx',
    '  url: https://quay.io/never/url:1',
    '  imagePullPolicy: Always',
    '  command: [sh, -c, "run quay.io/team/run:5 --now"]',
  ].join('\n');
  assert.deepEqual(
    findLiterals(text).map(({ image, line }) => `${line} ${image}`),
    [
      '1 busybox:1.36',
      '2 team/c:v1',
      '3 quay.io/team/app:2.0.1',
      '4 prom/side:v1',
      '6 quay.io/team/side:3',
      '7 grafana/grafana:10.4.1',
      '11 quay.io/team/default:4',
      '15 nginx',
      '18 quay.io/team/run:5',
    ],
  );
});
