// <script defer src="…/content.js" data-key="…">: starts by its attributes.
import { content } from '../content.ts'
import { scriptOptions } from '../shared/script.ts'

const options = scriptOptions()
if (options) content.start(options)
