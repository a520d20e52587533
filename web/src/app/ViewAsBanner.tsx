import { Button } from '@mantine/core';
import Eye from 'lucide-react/icons/eye';
import type { ReactNode } from 'react';
import { stopViewing, viewing } from '../platform/view-as.ts';
import { texts } from '../texts/app.ts';
import styles from './ViewAsBanner.module.css';

/** Names the user as whom an administrator views the product (docs/product/people-and-permissions.md, View as). */
export default function ViewAsBanner(): ReactNode {
  if (viewing === null) return null;
  return (
    <section className={`ui-line ui-middle ui-strong ${styles.banner}`} aria-label={texts.viewingLabel}>
      <Eye size={15} />
      <span className={`ui-ellipsis ${styles.words}`}>{texts.viewingAs(viewing.name)}</span>
      <Button variant="default" size="compact-xs" onClick={stopViewing}>
        {texts.stopViewing}
      </Button>
    </section>
  );
}
