import { Button } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  secret: string;
  title: string;
  about: string;
  /** The text of the button that closes the dialog. */
  kept: string;
  onClose(): void;
}

/** A secret that is kept nowhere and shown this once. A click beside it would lose it. */
export function SecretDialog({ secret, title, about, kept, onClose }: Props) {
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={title}>
      <div className="stack">
        <p>{about}</p>
        <CodeBlock code={secret} />
        <Button size="sm" onClick={onClose}>
          {kept}
        </Button>
      </div>
    </Dialog>
  );
}
