{{- define "svc.name" -}}
{{- if contains "svc" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-svc" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "svc.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}:{{ $tag }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ $tag }}{{ end }}
{{- end }}

{{- define "svc.config" -}}
{{- $own := dict "storage" (dict "root" "/srv/svc/store") "state" (dict "root" "/var/lib/svc/state") "server" (dict "addr" ":8080") -}}
{{ mergeOverwrite (deepCopy .Values.config) $own | toYaml }}
{{- end }}

{{- define "svc.require-one-writer" -}}
{{- if ne (int .Values.replicas) 1 -}}
{{- fail (printf "replicas: %v is refused: an instance is the only writer of its store, and a second one would be refused by the lock of the store (SVC-STO-007). For more pulls put caches in front (deploy/nginx-cache.conf), for a standby install a second release with volumes of its own." .Values.replicas) -}}
{{- end -}}
{{- end }}
