/** The schema of an object with these fields and no other. */
export function fieldsOf<const Required extends readonly string[], const Properties extends object>(
  required: Required,
  properties: Properties,
) {
  return { type: 'object', additionalProperties: false, required, properties } as const;
}
