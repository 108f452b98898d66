/** A process, or several behind one name, and the base of its health port: `/readyz` and `/metrics` are below it. */
export interface ProcessAddress {
  name: string;
  url: string;
}

const MAX_PROCESSES = 100;

/** Reads `name=url` items. Faults are sentences for the operator. */
export function parseProcessAddresses(items: readonly string[]): { found: ProcessAddress[]; faults: string[] } {
  const found: ProcessAddress[] = [];
  const faults: string[] = [];
  for (const item of items) {
    const [, name = '', url = ''] = /^([^=]+)=(.+)$/.exec(item) ?? [];
    if (isHttp(url)) found.push({ name: name.trim(), url: new URL(url).origin });
    else faults.push(`"${item}" is not name=http://host:port`);
  }
  if (found.length > MAX_PROCESSES) faults.push(`names more than ${MAX_PROCESSES} processes`);
  return { found, faults };
}

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
