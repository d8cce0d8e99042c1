// Where the tracking code goes: instructions for what the site is made with, and what else is tracked.
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Checkbox, Select } from '../../parts/fields.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { apiPath } from '../../place.ts'
import { useProperty } from '../../session.tsx'
import { serviceUrl } from '../../snippet.ts'
import { platforms as text } from '../../texts/index.ts'
import { choiceParam, flagParam, useUrlState } from '../../url.ts'
import styles from './page.module.css'
import { missingCode, type Platform, platformCode, platforms } from './platform-code.ts'

const codecs = {
  platform: choiceParam(platforms, 'html'),
  outbound: flagParam,
  downloads: flagParam,
  missing: flagParam,
}

/** What is made for a platform, and the guide to it. */
const guides = { wordpress: 'wordpress', gtm: 'tag-manager', next: 'react' } as const

const hasGuide = (platform: Platform): platform is keyof typeof guides => Object.hasOwn(guides, platform)

/** For whoever looks after the site. */
const mailOf = (subject: string, body: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`

export function Install() {
  const { key, name } = useProperty()
  const [{ platform, missing, ...tracked }, setState] = useUrlState(codecs)
  const choose = (patch: Partial<typeof tracked & { missing: boolean }>): void => setState(patch, { replace: true })
  const code = platformCode(platform, key, tracked)
  const options = platforms.map((value) => ({ value, label: text.names[value] }))
  return (
    <div className={styles.install}>
      <Select
        label={text.label}
        value={platform}
        onChange={(next) => setState({ platform: platforms.find((id) => id === next) ?? 'html' })}
        options={options}
        className={styles.platform}
      />
      <p className={styles.hint}>{text.steps[platform]}</p>
      <CodeBlock label={text.code} code={code} />
      {hasGuide(platform) && <Better platform={platform} />}
      <fieldset className={styles.options}>
        <legend>{text.options}</legend>
        <Checkbox label={text.outbound} isOn={tracked.outbound} onChange={(outbound) => choose({ outbound })} />
        <Checkbox label={text.downloads} isOn={tracked.downloads} onChange={(downloads) => choose({ downloads })} />
        <Checkbox label={text.missing} isOn={missing} onChange={(isOn) => choose({ missing: isOn })} />
      </fieldset>
      {missing && (
        <>
          <p className={styles.hint}>{text.missingHint}</p>
          <CodeBlock label={text.missingLabel} code={missingCode(key, tracked)} />
        </>
      )}
      <p>
        <a href={mailOf(text.mail.subject(name), text.mail.body(text.steps[platform], code))}>{text.send}</a>
      </p>
    </div>
  )
}

function Better({ platform }: { platform: keyof typeof guides }) {
  const { key } = useProperty()
  return (
    <Note>
      <div className={styles.better}>
        <p>
          {text.better[platform]}{' '}
          <a href={`${apiPath}/docs/${guides[platform]}`} target="_blank" rel="noopener">
            {text.guide[platform]}
          </a>
        </p>
        {platform !== 'next' && (
          <Facts
            rows={[
              [text.url, <Copyable key="url" words={serviceUrl()} />],
              [text.key, <Copyable key="key" words={key} />],
            ]}
          />
        )}
      </div>
    </Note>
  )
}
