import { renderTemplate } from './helm-template';

it.each([
  ['{{ .a }}-{{ $.b.c }}', '1-x'],
  ['a\n{{- if .no }}\nb\n{{- else }}\nc\n{{- end }}\nd', 'a\nc\nd'],
  ['{{ range $name, $value := .map }}{{ $name }}={{ $value.v }};{{ end }}', 'p=2;q=1;'],
  ['{{- range $name, $value := .map }}{{ if eq $name "p" }}{{ $.a }}{{ .v }}{{ end }}{{- end }}', '12'],
  ['{{ add .a 30 | quote }}', '"31"'],
  ['{{ printf "{%s}:%s" .b.c .a }}', '{x}:1'],
  ['{{ default "d" .empty }}{{ default "d" .b.c }}', 'dx'],
  ['{{ if not (and .a .empty) }}yes{{ end }}', 'yes'],
  ['k:\n  {{- toYaml .map | nindent 2 }}', 'k:\n  p:\n    v: 2\n  q:\n    v: 1'],
])('%j renders as %j', (template, text) => {
  const data = { a: 1, b: { c: 'x' }, no: false, empty: '', map: { q: { v: 1 }, p: { v: 2 } } };
  expect(renderTemplate(template, data)).toBe(text);
});

it.each([
  ['{{ include "x" . }}', 'include is not a function that this renderer knows'],
  ['{{ if .a }}', 'if .a has no end'],
  ['{{ end }}', 'end has no beginning'],
  ['{{ .a.b.c }}', '.c of nothing'],
  ['{{ $nobody }}', '$nobody is not known'],
  ['{{ .a "x" }}', 'not a function'],
])('%j is refused', (template, message) => {
  expect(() => renderTemplate(template, { a: {} })).toThrow(message);
});
