{{- define "svc.name" -}}
{{- $name := contains "svc" .Release.Name | ternary .Release.Name (printf "%s-svc" .Release.Name) | trunc 50 -}}
{{- $name = regexReplaceAll "-+$" $name "" -}}
{{- if not (regexMatch "^[a-z][-a-z0-9]*$" $name) -}}
{{- fail (printf "the name of the release, %s, is refused: the Service is called %s, and the name of a Service begins with a letter and has no dots." .Release.Name $name) -}}
{{- end -}}
{{- $name -}}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ include "svc.tag" . | include "svc.label" }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | include "svc.label" }}
{{- end }}

{{- /* A text as the value of a label. */ -}}
{{- define "svc.label" -}}
{{ regexReplaceAll "[^A-Za-z0-9]+$" (regexReplaceAll "[^-A-Za-z0-9_.]" . "_" | trunc 63) "" | quote }}
{{- end }}

{{- define "svc.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* The image of the chart stands in Chart.yaml: with --reuse-values, values are those of an older chart. */ -}}
{{- define "svc.image" -}}
{{- $own := (index (index .Chart.Annotations "artifacthub.io/images" | fromYamlArray) 0).image -}}
{{- $ownDigest := regexFind "@sha256:[0-9a-f]{64}$" $own -}}
{{- $ownRepository := $own | trimSuffix $ownDigest | trimSuffix (printf ":%s" .Chart.AppVersion) -}}
{{- $tag := include "svc.tag" . -}}
{{- if and .Values.image.digest (not .Values.image.tag) -}}
{{- fail "image.digest is refused without image.tag: it would start one version under the name of another. Set the tag that the digest belongs to, or neither. Values of an older chart can have the digest of its image: upgrade with --reset-then-reuse-values or --values instead of --reuse-values." -}}
{{- end -}}
{{- $digest := eq $tag .Chart.AppVersion | ternary $ownDigest "" -}}
{{- if .Values.image.digest }}{{ $digest = printf "@%s" .Values.image.digest }}{{ end -}}
{{ .Values.image.repository | default $ownRepository }}:{{ $tag }}{{ $digest }}
{{- end }}

{{- define "svc.config" -}}
{{- $own := dict "storage" (dict "root" "/srv/svc/store") "state" (dict "root" "/var/lib/svc/state") "server" (dict "addr" ":8080") -}}
{{ mergeOverwrite (deepCopy .Values.config) $own | toYaml }}
{{- end }}

{{- /* Whether the instance takes a setting for true; empty if not. */ -}}
{{- define "svc.is-true" -}}
{{- if has (toString .) (list "true" "1") }}true{{ end -}}
{{- end }}

{{- /* HTTPS where the listener speaks TLS: the instance does so for `enabled`, and for a certificate of its own. */ -}}
{{- define "svc.scheme" -}}
{{- $tls := ((.Values.config).server).tls | default dict -}}
{{- if or (include "svc.is-true" $tls.enabled) $tls.certFile }}HTTPS{{ else }}HTTP{{ end -}}
{{- end }}

{{- /* A duration of the configuration in seconds. */ -}}
{{- define "svc.seconds" -}}
{{- $units := dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0 "d" 86400.0 -}}
{{- $sum := 0.0 -}}
{{- range regexFindAll "[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)" (toString .) -1 -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- $sum = addf $sum (mulf (trimSuffix $unit . | float64) (get $units $unit)) -}}
{{- end -}}
{{- $sum -}}
{{- end }}

{{- define "svc.refuse" -}}
{{- if ne (int .Values.replicas) 1 -}}
{{- fail (printf "replicas: %v is refused: an instance is the only writer of its store, and a second one would be refused by the lock of the store (SVC-STO-007). For more pulls put caches in front (deploy/nginx-cache.conf), for a standby install a second release with volumes of its own." .Values.replicas) -}}
{{- end -}}
{{- if not (.Values.config).mode -}}
{{- fail "config.mode is not set: an instance is started with mirror or passthrough." -}}
{{- end -}}
{{- $grace := (.Values.config.shutdown).gracePeriod | default "30s" -}}
{{- if ge (include "svc.seconds" $grace | float64) (float64 .Values.terminationGracePeriodSeconds) -}}
{{- fail (printf "config.shutdown.gracePeriod: %v is refused: the pod is killed after terminationGracePeriodSeconds: %v, before the transfers that it waits for have ended. Set a larger terminationGracePeriodSeconds." $grace .Values.terminationGracePeriodSeconds) -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.egress) -}}
{{- if .Values.networkPolicy.to -}}
{{- fail "networkPolicy.to names where the instance may connect to, and networkPolicy.egress: false forbids all of it: set one of them." -}}
{{- end -}}
{{- if or (eq .Values.config.mode "passthrough") (.Values.config.destination).registry -}}
{{- fail "networkPolicy.egress: false is refused: mode passthrough fetches from registries, and destination.registry is pushed to. Name these hosts in networkPolicy.to." -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "svc.container" -}}
image: {{ include "svc.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml (.Values.resources | default dict) | nindent 2 }}
{{- end }}

{{- define "svc.own-mounts" -}}
- { name: state, mountPath: /var/lib/svc }
- { name: temporary, mountPath: /tmp }
- { name: config, mountPath: /etc/svc/config.yaml, subPath: config.yaml, readOnly: true }
{{- end }}

{{- /* The Secret of the first account; empty where the pod makes none. */ -}}
{{- define "svc.first-secret" -}}
{{- if not (include "svc.is-true" ((.Values.config).auth).disabled) }}{{ (.Values.firstAccount).secret | default "" }}{{ end }}
{{- end }}
