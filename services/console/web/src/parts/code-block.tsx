import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Text for programs, as it is, to be copied. */
export function CodeBlock({ code }: { code: string }) {
  return (
    <div className={classes.block}>
      <div className={classes.copy}>
        <CopyButton value={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  );
}
