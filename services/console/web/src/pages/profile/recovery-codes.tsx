import { Button } from '@mantine/core';
import { CopyButton } from '../../parts/copy-button.tsx';
import classes from './profile-page.module.css';
import { say } from './texts.ts';

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <div className="stack">
      <p>{say('codes.about')}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton value={codes.join('\n')} label={say('codes.copy')} />
        <Button size="sm" onClick={onClose}>
          {say('codes.kept')}
        </Button>
      </div>
    </div>
  );
}
