import type { TemplateUsage } from '@forecourt/contract/template-usage';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/template-usage.ts';

/** Returns whether a dealership uses it, visible to the user or not: then it cannot be deleted. */
export const isUsed = ({ dealerships, others }: TemplateUsage): boolean =>
  dealerships.length > 0 || others > 0;

/** The dealerships that use a template, each with a link to its form, and for which of their contacts. */
export function TemplateUses({ usage }: { usage: TemplateUsage }): ReactNode {
  const { dealerships, others } = usage;
  return (
    <>
      {!isUsed(usage) && <p>{texts.noDealership}</p>}
      <ul className="ui-lines">
        {dealerships.map(({ _id, name, active, isDefault, contacts }) => (
          <li key={_id} className="ui-anywhere">
            <Anchor component={Link} to={paths.dealership(_id)} inherit>
              {name}
            </Anchor>
            <p className="ui-quiet">
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
      {others > 0 && <p>{texts.others(others)}</p>}
    </>
  );
}
