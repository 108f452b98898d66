{{/*
The first part of every name. Names are labels of Services, which have 63 characters, letters, digits and dashes; the longest
part that follows is `-webhook-delivery-health`, and KEDA writes `keda-hpa-` before a name into a label. So 37 are left: a longer
release name is cut, and told from others by its hash.
*/}}
{{- define "mediagate.name" -}}
{{- $name := replace "." "-" .Release.Name -}}
{{- if not (regexMatch "^[a-z]" $name) -}}
{{- fail (printf "The release name %q does not begin with a letter, and Services are named after it." .Release.Name) -}}
{{- end -}}
{{- if or (gt (len $name) 37) (ne $name .Release.Name) -}}
{{- printf "%s-%s" (trunc 28 $name | trimSuffix "-") (sha256sum .Release.Name | trunc 8) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* By which pods are chosen. Takes the root and the component. */}}
{{- define "mediagate.selector" -}}
app.kubernetes.io/name: mediagate
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "mediagate.labels" -}}
{{ include "mediagate.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "mediagate.image" -}}
{{- $name := required "image.repository is missing: the name of the image in your registry, as registry.example.com/mediagate." .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" $name .Values.image.digest | quote }}
{{- else -}}
{{ printf "%s:%s" $name (default .Chart.AppVersion .Values.image.tag) | quote }}
{{- end -}}
{{- end -}}

{{- define "mediagate.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "mediagate.name" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{/* Where a pod may run, and as whom. Takes the root and the role; a role's own placement wins. */}}
{{- define "mediagate.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with default (index $.root.Values.placement $field) (index (default dict $.role.placement) $field) }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What `values` name for all pods, and for this role beside: a list. Takes the root, the role and the field. */}}
{{- define "mediagate.listOf" -}}
{{- with concat (index .root.Values .field) (default list (index (default dict .role) .field)) -}}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* Annotations for all, of which those of this role win. Takes the root, the role and the field. */}}
{{- define "mediagate.annotationsOf" -}}
{{- with merge (dict) (default dict (index (default dict .role) .field)) (index .root.Values .field) -}}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{- define "mediagate.isScaled" -}}
{{- if and .root.Values.keda.enabled .role.scale (not (and .role.hpa .role.hpa.enabled)) -}}yes{{- end -}}
{{- end -}}

{{/* Connections of a pod at most. */}}
{{- define "mediagate.poolSize" -}}
{{- if include "mediagate.isScaled" . -}}{{ .root.Values.keda.poolSize }}{{- else -}}{{ default 0 .role.poolSize }}{{- end -}}
{{- end -}}

{{/*
Pods of each role at most. What KEDA scales shares what the database has left beyond `replicas` of each: a pod more for one after the
other, up to its `maxReplicas`.
*/}}
{{- define "mediagate.maxima" -}}
{{- $maxima := dict -}}
{{- $rounds := 0 -}}
{{- $left := sub .Values.database.maxConnections (add 2 .Values.database.reserved) -}}
{{- range $name, $role := .Values.roles -}}
{{- $pods := int $role.replicas -}}
{{- if and $role.hpa $role.hpa.enabled -}}
{{- $pods = int $role.hpa.maxReplicas -}}
{{- else if include "mediagate.isScaled" (dict "root" $ "role" $role) -}}
{{- $pods = min (max $pods (int $role.scale.minReplicas)) (int $role.scale.maxReplicas) -}}
{{- $rounds = max $rounds (int $role.scale.maxReplicas) -}}
{{- end -}}
{{- $_ := set $maxima $name $pods -}}
{{- $left = sub $left (mul (add 1 $pods) (include "mediagate.poolSize" (dict "root" $ "role" $role) | int)) -}}
{{- end -}}
{{- range until (int $rounds) -}}
{{- range $name, $role := $.Values.roles -}}
{{- $this := dict "root" $ "role" $role -}}
{{- if include "mediagate.isScaled" $this -}}
{{- $pool := include "mediagate.poolSize" $this | int -}}
{{- if and (lt (int (get $maxima $name)) (int $role.scale.maxReplicas)) (ge (int $left) $pool) -}}
{{- $_ := set $maxima $name (add 1 (get $maxima $name)) -}}
{{- $left = sub $left $pool -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ toYaml $maxima }}
{{- end -}}

{{/*
Connections that everything together may open: each role's pool for each of its pods and one that stands beside them during an
upgrade, two of the migration, and what is reserved for others. Fails where the database accepts fewer.
*/}}
{{- define "mediagate.connections" -}}
{{- $sum := add 2 .Values.database.reserved -}}
{{- $terms := list -}}
{{- $maxima := include "mediagate.maxima" . | fromYaml -}}
{{- range $name, $role := .Values.roles -}}
{{- $pool := include "mediagate.poolSize" (dict "root" $ "role" $role) | int -}}
{{- if $pool -}}
{{- $pods := add 1 (get $maxima $name) -}}
{{- $sum = add $sum (mul $pods $pool) -}}
{{- $terms = append $terms (printf "%s %d x %d" $name $pods $pool) -}}
{{- end -}}
{{- end -}}
{{- if gt (int $sum) (int .Values.database.maxConnections) -}}
{{- fail (printf "database.maxConnections is %d, and this deployment may open %d connections: %s, migration 2, database.reserved %d. Raise it with the server's max_connections, put a pooler between, or lower poolSize, replicas or maxReplicas." (int .Values.database.maxConnections) (int $sum) (join ", " $terms) (int .Values.database.reserved)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* What this chart alone knows; `env` may not name it, and neither counts what a Secret says of it. */}}
{{- define "mediagate.ownEnv" -}}
HOST: "::"
HEALTH_HOST: "::"
HEALTH_PORT: "9090"
DRAIN_SECONDS: {{ .role.drainSeconds | quote }}
REDIS_PREFIX: {{ .root.Values.redisPrefix | quote }}
{{- if eq .component "console" }}
CONSOLE_PORT: {{ .role.port | quote }}
GATEWAY_URL: {{ printf "http://%s-api:%d" (include "mediagate.name" .root) (int .root.Values.roles.api.port) | quote }}
{{- $operatorsPort := .root.Values.roles.api.operatorsPort }}
ADMIN_GATEWAY_URL: {{ empty $operatorsPort | ternary "" (printf "http://%s-operators:%d" (include "mediagate.name" .root) (int $operatorsPort)) | quote }}
PUBLIC_BASE_URL: {{ .root.Values.publicBaseUrl | quote }}
CONSOLE_PUBLIC_URL: {{ .root.Values.console.publicUrl | quote }}
CONSOLE_TRUSTED_PROXIES: {{ .root.Values.console.trustedProxies | quote }}
{{- $urls := list }}
{{- range $other, $_ := omit .root.Values.roles "console" }}
{{- $urls = append $urls (printf "%s=http://%s-%s-health:9090" $other (include "mediagate.name" $.root) $other) }}
{{- end }}
CONSOLE_HEALTH_URLS: {{ join "," $urls | quote }}
{{- else }}
MEDIAGATE_CONFIG: /etc/mediagate/channels.yaml
MEDIAGATE_HOME: /var/lib/mediagate
WORK_FOLDER: /var/lib/mediagate-work
WORK_FOLDER_MB: {{ .root.Values.workFolder.sizeMb | quote }}
FFMPEG_PATH: /usr/bin/ffmpeg
PUBLIC_BASE_URL: {{ .root.Values.publicBaseUrl | quote }}
{{- end }}
{{- if eq .component "api" }}
PORT: {{ .role.port | quote }}
ADMIN_PORT: {{ default "" .role.operatorsPort | quote }}
API_POOL_SIZE: {{ .role.poolSize | quote }}
{{- else if .role.poolSize }}
DATABASE_POOL_SIZE: {{ include "mediagate.poolSize" . | quote }}
{{- end }}
{{- if .role.poolSize }}
DATABASE_CONNECTIONS: {{ sub (include "mediagate.connections" .root | int) .root.Values.database.reserved | quote }}
{{- end }}
{{- end -}}

{{/* Each variable once: a role's own wins over those of every service. */}}
{{- define "mediagate.env" -}}
{{- $own := include "mediagate.ownEnv" . | fromYaml -}}
{{- $given := merge (dict) (default dict .role.env) .root.Values.env -}}
{{- range $name, $_ := $given -}}
{{- if hasKey $own $name -}}
{{- fail (printf "env of %s sets %s, which the chart sets itself: use the value that is there for it." $.component $name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := merge $own $given }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Who writes and reads files needs one folder for all its pods. */}}
{{- define "mediagate.requireSharedStorage" -}}
{{- $storage := default dict .Values.channels.storage -}}
{{- if and (ne (default "filesystem" $storage.driver) "s3") (not .Values.media.claimName) -}}
{{- fail "channels.storage.driver is filesystem, and media.claimName names no ReadWriteMany claim that all pods share: name one, or set channels.storage.driver to s3." -}}
{{- end -}}
{{- end -}}

{{/*
The pod of one command of the command line, which is given the URL of the database and nothing else of the Secret: it calls no vendor
and reads no key. Takes the root, the component, its values, the arguments, and what it mounts.
*/}}
{{- define "mediagate.commandPod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "mediagate.labels" . | nindent 4 }}
    {{- with merge (dict) .role.podLabels $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with include "mediagate.annotationsOf" (merge (dict "field" "podAnnotations") .) }}
  annotations:
    {{- . | nindent 4 }}
  {{- end }}
spec:
  {{- include "mediagate.pod" . | nindent 2 }}
  restartPolicy: Never
  {{- with $values.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "mediagate.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command:
        {{- toYaml .command | nindent 8 }}
      env:
        {{- with default $values.secretName $values.migrate.secretName }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ . }}
              key: {{ $values.migrate.databaseUrlKey }}
        {{- end }}
        {{- range $variable, $value := merge (dict) $values.migrate.env (pick $values.env "NODE_EXTRA_CA_CERTS" "DATABASE_URL_FILE") }}
        - name: {{ $variable }}
          value: {{ $value | quote }}
        {{- end }}
      resources:
        {{- toYaml .role.resources | nindent 8 }}
      securityContext:
        {{- toYaml $values.containerSecurityContext | nindent 8 }}
      {{- with concat (default list .volumeMounts) $values.extraVolumeMounts }}
      volumeMounts:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  {{- with concat (default list .volumes) $values.extraVolumes }}
  volumes:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
