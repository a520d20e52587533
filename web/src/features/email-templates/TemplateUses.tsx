import type { TemplateUsage } from '@forecourt/contract/template-usage';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/template-usage.ts';
import styles from './TemplateUses.module.css';

/** Returns whether a dealership uses it, visible to the user or not: then it cannot be deleted. */
export const isUsed = ({ dealerships, others }: TemplateUsage): boolean =>
  dealerships.length > 0 || others > 0;

/** The dealerships that use a template, each with a link to its form, and for which of their contacts. */
export function TemplateUses({ usage }: { usage: TemplateUsage }): ReactNode {
  const { dealerships, others } = usage;
  return (
    <>
      {!isUsed(usage) && <p className={styles.line}>{texts.noDealership}</p>}
      <ul className={styles.list}>
        {dealerships.map(({ _id, name, active, isDefault, contacts }) => (
          <li key={_id} className={styles.use}>
            <Anchor component={Link} to={paths.dealership(_id)} inherit>
              {name}
            </Anchor>
            <p className={styles.how}>
              {[
                isDefault ? texts.isDefault : '',
                contacts.length > 0 ? texts.contacts(contacts) : '',
                active ? '' : texts.inactive,
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {others > 0 && <p className={styles.line}>{texts.others(others)}</p>}
    </>
  );
}
