import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './json-view.module.css';

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON as it is, coloured by what its parts are. */
export function JsonView({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? '';
  return (
    <div className={classes.view}>
      <div className={classes.copy}>
        <CopyButton value={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        <code>{coloured(text)}</code>
      </pre>
    </div>
  );
}

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [token, string, colon] = match;
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} data-kind={kindOf(string, colon)}>
        {string ?? token}
      </span>,
      colon,
    );
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

function kindOf(string: string | undefined, colon: string | undefined): string {
  if (string === undefined) return 'value';
  return colon === undefined ? 'string' : 'name';
}
