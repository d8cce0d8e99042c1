<?php
/** Contact Form 7: who has written is a contact, linked to the visit. What was written stays in WordPress. */

defined( 'ABSPATH' ) || exit;

final class Footfall_Leads {
	/** Names that the fields of a form usually have. */
	const EMAIL = array( 'your-email', 'email', 'e-mail', 'mail' );
	const NAME  = array( 'your-name', 'name', 'full-name' );

	public static function register() {
		add_action( 'wpcf7_mail_sent', array( __CLASS__, 'tell' ) );
	}

	private static function first( $posted, $names ) {
		foreach ( $names as $name ) {
			if ( isset( $posted[ $name ] ) && is_string( $posted[ $name ] ) && '' !== trim( $posted[ $name ] ) ) {
				return sanitize_text_field( $posted[ $name ] );
			}
		}
		return '';
	}

	public static function tell() {
		$submission = WPCF7_Submission::get_instance();
		$posted     = $submission ? $submission->get_posted_data() : array();
		$email      = sanitize_email( self::first( $posted, self::EMAIL ) );
		if ( ! is_email( $email ) ) {
			return;
		}
		$parts  = explode( ' ', self::first( $posted, self::NAME ), 2 );
		$traits = array_filter( array( 'first_name' => $parts[0], 'last_name' => isset( $parts[1] ) ? $parts[1] : '' ) );
		$body   = array( 'email' => $email, 'traits' => array_merge( $traits, array( 'lifecycle_stage' => 'lead' ) ) );
		$session = Footfall_Service::session();
		if ( null !== $session ) {
			$body['session_id'] = $session;
		}
		Footfall_Service::call( '/v2/property/contacts/identify', $body );
	}
}
