import { createElement, Fragment, useEffect, type ReactNode } from 'react';
import changelog from '../../../../CHANGELOG.md?raw';
import { formatBusinessDate } from '../../platform/formats.ts';
import { markChangelogRead } from '../../platform/unread-changelog.ts';
import { texts } from '../../texts/changelog.ts';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { readChangelog, REPAIRS, type Piece, type Section } from './read-changelog.ts';
import styles from './ChangelogScreen.module.css';

const releases = readChangelog(changelog);

/** The changelog of the release (docs/product/screens.md, Changelog), included at build time. */
export default function ChangelogScreen(): ReactNode {
  useEffect(markChangelogRead, []);
  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      {/* Focusable, so that it can be scrolled by keyboard: it has no other focusable element. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={texts.title} tabIndex={0}>
        {releases.map(({ name, day, sections }) => (
          <section key={name} className={styles.release} aria-label={name}>
            <h2>
              {name} {day && <span className={styles.day}>{formatBusinessDate(day)}</span>}
            </h2>
            {sections.map((section) =>
              section.name === REPAIRS ? (
                <details key={section.name} className="ui-mt-5">
                  <summary className={styles.repairs}>{texts.repairs(section.entries.length)}</summary>
                  <Entries {...section} />
                </details>
              ) : (
                <section key={section.name}>
                  <h3 className="ui-mt-5 ui-mb-2">{section.name}</h3>
                  <Entries {...section} />
                </section>
              ),
            )}
          </section>
        ))}
      </div>
    </Page>
  );
}

const Entries = ({ entries }: Section): ReactNode => (
  <ul className={`ui-stack ui-gap-2 ${styles.entries}`}>
    {entries.map((entry) => (
      <li key={entry.map(({ text }) => text).join('')}>
        {createElement(Fragment, null, ...entry.map(pieceOf))}
      </li>
    ))}
  </ul>
);

const pieceOf = ({ kind, text }: Piece): ReactNode =>
  kind === 'plain' ? text : createElement(kind, null, text);
