import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { ChangeDialog, type ChangeDialogProps } from './change-dialog.tsx';

interface ChangeButtonProps<Data> extends Omit<ChangeDialogProps<Data>, 'onClose'> {
  button?: ButtonProps;
  /** The button's text; default: that of the action. */
  label?: string;
}

/** A button that asks before a change. */
export function ChangeButton<Data>({ button, label, ...change }: ChangeButtonProps<Data>) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setAsks(true)}>
        {label ?? change.action}
      </Button>
      {asks && <ChangeDialog {...change} onClose={() => setAsks(false)} />}
    </>
  );
}
