/** A section with its fields named as code names them: `timeout_seconds` is `timeoutSeconds`. */
export type CamelCased<Section> = { [Name in keyof Section as CamelCase<Name & string>]: Section[Name] };

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function camelCased<Section extends object>(section: Section): CamelCased<Section> {
  const named = Object.entries(section).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(named) as CamelCased<Section>;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
