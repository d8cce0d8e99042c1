import { Form } from '@footfall/react'

export default function Contact() {
  return (
    <main>
      <h1>Contact</h1>
      <Form form={process.env.NEXT_PUBLIC_FOOTFALL_FORM ?? ''}>
        <label>
          Name <input name="name" required />
        </label>
        <label>
          Email <input name="email" type="email" required />
        </label>
        <label>
          Message <textarea name="message" minLength={10} required />
        </label>
        <button>Send</button>
      </Form>
    </main>
  )
}
